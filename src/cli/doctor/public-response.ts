import { operations } from '../../contract/index.ts'
import { pathOf } from '../../contract/operation.ts'

const timeoutMs = 5_000

/** Cheap, and part of the API, as a proxy may forward nothing else. */
const path = pathOf(operations.listTopics, { offset: 0, limit: 1 })

/** The response to a read of the API at `PUBLIC_URL`, as a client gets it. */
export interface PublicResponse {
  status: number
  /** The target of a redirect. */
  location: string | undefined
  text: string
  /** By how much the clock of the server is ahead of ours, in milliseconds, at most 500 too much or too little. */
  clockOffsetMs: number | undefined
}

/** @throws Error with the reason why there is no response */
export async function requestPublicUrl(publicUrl: string): Promise<PublicResponse> {
  const before = Date.now()
  try {
    const response = await fetch(publicUrl + path, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })
    const now = (before + Date.now()) / 2
    const date = Date.parse(response.headers.get('date') ?? '')
    return {
      status: response.status,
      location: response.headers.get('location') ?? undefined,
      text: await response.text(),
      // The header has whole seconds.
      clockOffsetMs: Number.isNaN(date) ? undefined : date + 500 - now,
    }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    throw new Error(cause instanceof Error ? cause.message || cause.name : String(cause), { cause: error })
  }
}
