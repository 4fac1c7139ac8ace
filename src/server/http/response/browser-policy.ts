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
  /** The same for responses that depend on their reader. */
  readonly identified: readonly string[]
  /** For files and images, which must not act as a page of our origin. */
  readonly bytes: readonly string[]
}

const year = 365 * 24 * 60 * 60

/**
 * The policy of a server (OWASP ASVS 5.0, 3.4). Where `ACCESS` is `open`, responses that the interface specification
 * describes have no headers beyond it, unless they are files; and clients of the API may go on without TLS.
 */
export function createBrowserPolicy({ access, publicUrl = '' }: Pick<Config, 'access' | 'publicUrl'>): BrowserPolicy {
  const sandbox = "sandbox; default-src 'none'"
  const nosniff = ['x-content-type-options', 'nosniff']
  const isOpen = access === 'open'
  const url = URL.parse(publicUrl)
  // On loopback, browsers would also apply it to other programs on the same machine.
  const isHttpsOnly = !isOpen && url?.protocol === 'https:' && !isLoopback(url.hostname)
  const common = [
    ...nosniff,
    ...['referrer-policy', 'no-referrer'],
    ...(isHttpsOnly ? ['strict-transport-security', `max-age=${year}`] : []),
  ]
  const none = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
  const identified = ['content-security-policy', none, ...common]
  if (isOpen) return { any: [], identified, bytes: ['content-security-policy', sandbox, ...nosniff] }
  return {
    any: identified,
    identified,
    bytes: ['content-security-policy', `${sandbox}; base-uri 'none'; frame-ancestors 'none'`, ...common],
  }
}

/** The policy of a response that has none of its own. */
export const policyOf = ({ request, server }: FastifyReply): readonly string[] =>
  request.isIdentified ? server.browserPolicy.identified : server.browserPolicy.any

/** A policy as headers by name. */
export const policyHeaders = (policy: readonly string[]): Record<string, string> =>
  Object.fromEntries(policy.flatMap((name, index) => (index % 2 === 0 ? [[name, policy[index + 1] ?? '']] : [])))

/** Sets the headers of the policy that a response does not have yet. */
export function applyBrowserPolicy(reply: FastifyReply): void {
  const policy = policyOf(reply)
  for (let index = 0; index < policy.length; index += 2) {
    const [name = '', value] = policy.slice(index, index + 2)
    if (!reply.hasHeader(name)) reply.header(name, value)
  }
}
