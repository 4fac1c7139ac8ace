import type { FastifyReply } from 'fastify'
import type { Config } from '../../config/config.ts'
import { isLoopback } from '../../core/loopback.ts'

declare module 'fastify' {
  interface FastifyInstance {
    browserPolicy: BrowserPolicy
  }
}

/** Headers that restrict what browsers do with a response: alternating names and values. */
export interface BrowserPolicy {
  /** For all responses except those with a policy of their own, such as pages and files. */
  readonly any: readonly string[]
  /** For files and images, which must not act as a page of our origin. */
  readonly bytes: readonly string[]
}

const year = 365 * 24 * 60 * 60

/**
 * The policy of a server (OWASP ASVS 5.0, 3.4). Where `ACCESS` is `open`, only files have one: other responses have no
 * headers beyond the interface specification.
 */
export function createBrowserPolicy({ access, publicUrl = '' }: Pick<Config, 'access' | 'publicUrl'>): BrowserPolicy {
  const sandbox = "sandbox; default-src 'none'"
  const nosniff = ['x-content-type-options', 'nosniff']
  if (access === 'open') return { any: [], bytes: ['content-security-policy', sandbox, ...nosniff] }
  const { protocol, hostname } = new URL(publicUrl)
  // On loopback, browsers would also apply it to other programs on the same machine.
  const isHttpsOnly = protocol === 'https:' && !isLoopback(hostname)
  const common = [
    ...nosniff,
    ...['referrer-policy', 'no-referrer'],
    ...(isHttpsOnly ? ['strict-transport-security', `max-age=${year}`] : []),
  ]
  const none = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
  return {
    any: ['content-security-policy', none, ...common],
    bytes: ['content-security-policy', `${sandbox}; base-uri 'none'; frame-ancestors 'none'`, ...common],
  }
}

/** Sets the headers of the policy that a response does not have yet. */
export function applyBrowserPolicy(reply: FastifyReply): void {
  const { any } = reply.server.browserPolicy
  for (let index = 0; index < any.length; index += 2) {
    const [name = '', value] = any.slice(index, index + 2)
    if (!reply.hasHeader(name)) reply.header(name, value)
  }
}
