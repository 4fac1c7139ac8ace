import type { TestApp } from '../app.ts'
import * as make from '../make.ts'
import { publicUrl, startAppWithKeys } from './app-with-keys.ts'
import { ownPage, type SignedIn, signInAsOrganizer } from './sessions.ts'
import { createAuthenticator, type Deviation, type SoftwareAuthenticator } from './software-authenticator.ts'

const eva = 'eva@summit.example'

export type Response = Awaited<ReturnType<typeof make.send>>

/** The cookies that a browser has after a response, on top of those it had. */
export const withCookies = (
  headers: Record<string, string>,
  response: { headers: Headers },
): Record<string, string> => {
  const set = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '')
  const cookies = [...(headers.cookie?.split('; ') ?? []), ...set]
  const byName = new Map(cookies.map((pair) => [pair.split('=')[0], pair]))
  return { ...headers, cookie: [...byName.values()].join('; ') }
}

export const post = (url: string, path: string, body: object, headers: Record<string, string>): Promise<Response> =>
  make.send({ url }, 'POST', path, JSON.stringify(body), { ...ownPage, ...headers })

/** Asks for a challenge. @returns it, and the headers of the browser that has asked */
export async function start(url: string, path: string, headers: Record<string, string> = {}) {
  const response = await post(url, `${path}/start`, {}, headers)
  return { options: (response.data as { options: never }).options, headers: withCookies(headers, response) }
}

const toMe = '/api/me/passkeys'
const toSignIn = '/api/sign-in/passkey'

export async function register(
  t: TestApp,
  session: SignedIn,
  authenticator: SoftwareAuthenticator,
  deviation?: Deviation,
) {
  const { options, headers } = await start(t.url, toMe, session.headers)
  return post(t.url, toMe, { label: 'Laptop', ...authenticator.register(options, deviation) }, headers)
}

export async function signIn(url: string, authenticator: SoftwareAuthenticator, deviation?: Deviation) {
  const { options, headers } = await start(url, toSignIn)
  return post(url, toSignIn, authenticator.signIn(options, deviation), headers)
}

export const reasonOf = ({ data }: Response) => (data as { reason?: string }).reason

/** An organizer with a passkey. */
export async function startWithPasskey() {
  const t = await startAppWithKeys('members')
  const session = await signInAsOrganizer(t, eva, ['owner'])
  const authenticator = createAuthenticator(publicUrl)
  const registered = await register(t, session, authenticator)
  return { ...t, session, authenticator, registered }
}
