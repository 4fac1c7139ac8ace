// What every script of the pages knows of the page.

const { dataset } = document.documentElement

/** The path with which the paths of all links begin; without a trailing slash. */
export const base = dataset.base ?? ''

/** The zone of the conference. */
export const zone = dataset.zone

/** All elements that a selector finds in the page, or a part of it. */
export const all = <E extends HTMLElement>(selector: string, part: ParentNode = document): E[] => [
  ...part.querySelectorAll<E>(selector),
]

interface Envelope {
  response_code: number
  data: unknown
  system: { message: string }
}

/** Sends a request to the API. @returns its data @throws Error with the message of a failure */
export async function api<T>(method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`${base}/api${path}`, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  const [envelope] = (await response.json()) as [Envelope]
  const { response_code: code, system, data } = envelope
  if (code >= 4000) throw new Error(system.message, { cause: code })
  return data as T
}

/** Whether a request failed since nobody is signed in, or not any more. */
export const isSignedOut = (error: unknown): boolean =>
  error instanceof Error && (error.cause === 4010 || error.cause === 4011)
