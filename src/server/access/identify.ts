import type { IncomingMessage } from 'node:http'
import type { Freshness } from '../cache/freshness.ts'
import type { Context } from '../context.ts'
import { countHeaders } from '../core/count-headers.ts'
import { Failure } from '../core/failure.ts'
import { anyone, visitor } from '../core/principal.ts'
import { type Identified, Principals } from './principals.ts'
import { readSessionCookie } from './session-cookie.ts'

/** A bearer token (RFC 6750, 2.1), or nothing where one should be. Other schemes may be meant for a proxy. */
const bearer = /^(?:Bearer(?:\s+(.*))?)?$/i

/** The key that a request sends, '' if it cannot be one; undefined for none. */
export function readKey({ headers: { authorization }, rawHeaders }: IncomingMessage): string | undefined {
  if (authorization === undefined) return undefined
  // `headers` has the first of several.
  if (countHeaders(rawHeaders, 'authorization') > 1) return ''
  const found = bearer.exec(authorization)
  return found ? (found[1] ?? '') : undefined
}

/** The sender of a request; there is no position if nothing had to be read. */
export type Sender = Pick<Identified, 'principal'> & Partial<Identified>

const fromAnyone: Sender = { principal: anyone }
const fromVisitor: Sender = { principal: visitor }

type Identify = (request: IncomingMessage) => Sender | Promise<Sender>

/**
 * Creates a function that finds out who sent a request. Where `ACCESS` is `open` nobody is asked, and a credential is
 * ignored. The function throws Failure UNAUTHENTICATED for one that is unknown or revoked and for several, and
 * CREDENTIAL_EXPIRED.
 */
export function createIdentify({ config, database, clock }: Context, freshness: Freshness): Identify {
  if (config.access === 'open') return () => fromAnyone
  const principals = new Principals(database, freshness, clock)
  return (request) => {
    const key = readKey(request)
    const session = readSessionCookie(request)
    if (session === undefined) return key === undefined ? fromVisitor : principals.find(key, 'bearer')
    if (key !== undefined) throw new Failure('UNAUTHENTICATED')
    return principals.find(session, 'session')
  }
}

/** Creates an `identify` for whoever signs in: a browser may still send the cookie of a session that has ended. */
export const toleratingUnusable =
  (identify: Identify): Identify =>
  async (request) => {
    try {
      return await identify(request)
    } catch (error) {
      if (error instanceof Failure && credentialFailures.has(error.reason)) return fromVisitor
      throw error
    }
  }

const credentialFailures: ReadonlySet<string> = new Set(['UNAUTHENTICATED', 'CREDENTIAL_EXPIRED'])
