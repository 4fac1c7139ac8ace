import type { IncomingMessage } from 'node:http'
import type { Freshness } from '../cache/freshness.ts'
import type { Context } from '../context.ts'
import { anyone, type Principal, visitor } from '../core/principal.ts'
import { Principals } from './principals.ts'

/** A bearer token (RFC 6750, 2.1). Other schemes may be meant for a proxy. */
const bearer = /^Bearer +(\S+) *$/i

/**
 * Creates a function that finds out who sent a request. Where `ACCESS` is `open` nobody is asked, and a credential is
 * ignored.
 * @returns throws Failure UNAUTHENTICATED for a credential that is unknown or revoked, CREDENTIAL_EXPIRED
 */
export function createIdentify(
  { config, database, clock }: Context,
  freshness: Freshness,
): (request: IncomingMessage) => Principal | Promise<Principal> {
  if (config.access === 'open') return () => anyone
  const principals = new Principals(database, freshness, clock)
  return ({ headers: { authorization = '' } }) => {
    const [, secret] = bearer.exec(authorization) ?? []
    return secret === undefined ? visitor : principals.find(secret)
  }
}
