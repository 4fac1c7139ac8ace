import { verify } from '../../client/verify.ts'
import { operations } from '../../contract/index.ts'
import { pathOf } from '../../contract/operation.ts'
import type { Config } from '../../server/config/config.ts'
import { keepsCookies } from '../../server/config/sign-in-url.ts'
import { describeUntrustedProxy } from '../../server/config/untrusted-proxy.ts'
import { messageOf } from '../../server/core/errors.ts'
import { findSigningKey } from '../../server/lifecycle/start/keys.ts'
import { type Check, type Diagnosis, ok, orOk, type PublicResponse, problem, warning } from './diagnosis.ts'

const timeoutMs = 5_000

/** Cheap, and part of the API, as a proxy may forward nothing else. */
const path = pathOf(operations.listTopics, { offset: 0, limit: 1 })

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

/** Whether PUBLIC_URL leads to this summit, and the proxy on the way is configured. */
export const checkProxy: Check = async ({ loaded: { config }, database, publicResponse }) => {
  const { publicUrl } = config
  if (publicUrl === undefined || !publicResponse)
    return config.trustedProxies.length === 0
      ? [ok('PUBLIC_URL is not set; links begin with the Host of a request')]
      : [
          warning(
            'TRUSTED_PROXIES is set, so there is a proxy, but PUBLIC_URL is not: links in responses begin with the Host that ' +
              'a client sends. Set PUBLIC_URL to the base URL that clients use.',
          ),
        ]
  let response: PublicResponse
  try {
    response = await publicResponse
  } catch (error) {
    const reason = messageOf(error)
    return [
      warning(
        `${publicUrl} (PUBLIC_URL) cannot be reached from this machine: ${reason}. If clients cannot reach it either, correct it or the proxy.`,
      ),
      ...checkTrust(config),
    ]
  }
  const key = database && (await findSigningKey(config, database.read))
  return orOk(
    [...(await checkResponse(publicUrl, response, key)), ...checkTransport(new URL(publicUrl)), ...checkTrust(config)],
    `${publicUrl} leads to ${key === undefined ? 'a summit' : 'this summit'}`,
  )
}

/** @param key of this summit, if it has one */
async function checkResponse(
  publicUrl: string,
  { status, location, text }: PublicResponse,
  key: string | undefined,
): Promise<Diagnosis[]> {
  const name = `${publicUrl} (PUBLIC_URL)`
  if (location !== undefined)
    return [problem(`${name} redirects to ${location}. Set PUBLIC_URL to the base URL that needs no redirection.`)]
  if (status === 401 || status === 403)
    return [
      warning(`${name} responds with ${status} to this machine, so it cannot be told whether it leads to this summit.`),
    ]
  if (!text.startsWith('[{"response_code":'))
    return [
      problem(
        `${name} responds with ${status}, but not as a summit does. Correct PUBLIC_URL, start the server, or let the proxy forward /api to it.`,
      ),
    ]
  if (text.includes('"UNKNOWN_HOST"'))
    return [problem(`The proxy of ${name} replaces Host with a foreign name. Let it forward the Host of the client.`)]
  if (key !== undefined && !(await verify(text, key)))
    return [
      problem(
        `${name} leads to a different summit: the response is signed with another key. Correct PUBLIC_URL or the proxy.`,
      ),
    ]
  return []
}

const checkTransport = (url: URL): Diagnosis[] =>
  keepsCookies(url)
    ? []
    : [warning(`${url.href} (PUBLIC_URL) is not encrypted. Let the proxy terminate TLS, and set PUBLIC_URL to https.`)]

function checkTrust(config: Config): Diagnosis[] {
  const message = describeUntrustedProxy(config)
  return message === undefined ? [] : [warning(message)]
}
