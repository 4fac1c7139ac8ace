import type { IncomingMessage } from 'node:http'
import type { Context } from '../context.ts'
import { Failure } from '../core/failure.ts'
import { mediaKeyIn } from '../core/media-key.ts'
import { anyone, type Place, type Principal, visitor } from '../core/principal.ts'
import type { Freshness } from '../log/changes/freshness.ts'
import type { Position } from '../storage/db/open.ts'
import { readSessionCookie } from './cookies.ts'
import type { MediaKeys } from './media-keys.ts'
import { type Principals, UnusableCredential } from './principals.ts'
import { takenSecret } from './secret-in-path.ts'

/** A bearer token (RFC 6750, 2.1), or nothing where one should be. Other schemes may be meant for a proxy. */
const bearer = /^(?:Bearer(?:\s+(.*))?)?$/i

/** The bearer token of a request; '' if it is malformed, undefined for none. */
export function readBearerToken({ headers: { authorization } }: IncomingMessage): string | undefined {
  if (authorization === undefined) return undefined
  const found = bearer.exec(authorization)
  if (found) return found[1] ?? ''
  // Several headers are joined by commas.
  return /(?:^|,)\s*Bearer(?=[\s,]|$)/i.test(authorization) ? '' : undefined
}

/** The sender of a request. */
export interface Sender {
  readonly principal: Principal
  /** Of the log, if it had to be read; after the request had arrived. */
  readonly position?: Position
  /** See `Viewer`. */
  readonly mediaKey: string
}

const fromAnyone: Sender = { principal: anyone, mediaKey: '' }
/** Looks at no credential, as operations of the interface specification do where `ACCESS` is `open`. */
export const identifyNobody: Identify = () => fromAnyone
const fromVisitor: Sender = { principal: visitor, mediaKey: '' }

/** @param acceptsMediaKey whether the operation reads an image or file */
export type Identify = (request: IncomingMessage, acceptsMediaKey: boolean) => Sender | Promise<Sender>

/** The caches from which senders are identified. */
export interface Identification {
  freshness: Freshness
  principals: Principals
  /** Absent where images and files are for anyone. */
  mediaKeys: MediaKeys | undefined
}

/**
 * Creates a function that finds out who sent a request. It throws Failure UNAUTHENTICATED for a credential that is unknown
 * or revoked and for several, and CREDENTIAL_EXPIRED. Where `ACCESS` is `open`, that of a participant is as good as
 * unknown.
 */
export function createIdentify(
  { config }: Pick<Context, 'config'>,
  { freshness, principals, mediaKeys }: Identification,
): Identify {
  const isOpen = config.access === 'open'
  // What is in memory is not awaited: most requests of a client have the credential of the one before.
  const identify = async (secret: string, place: Place): Promise<Sender> => {
    const position = await freshness.refresh()
    const principal = principals.find(secret, place) ?? (await principals.load(secret, place, position))
    if (isOpen && principal.audience !== 'organizer')
      throw new UnusableCredential('UNAUTHENTICATED', principal.credential)
    if (!mediaKeys) return { principal, position, mediaKey: '' }
    const { audience } = principal
    return {
      principal,
      position,
      mediaKey: mediaKeys.findFor(audience) ?? (await mediaKeys.keyFor(audience, position)),
    }
  }
  const identifyByMediaKey = async (keys: MediaKeys, key: string): Promise<Sender> => {
    const position = await freshness.refresh()
    return { principal: await keys.verify(key, position), position, mediaKey: '' }
  }
  return (request, acceptsMediaKey) => {
    const key = readBearerToken(request)
    const session = readSessionCookie(request)
    const secret = takenSecret(request)
    if (key === undefined && session === undefined && secret === undefined) {
      const mediaKey = acceptsMediaKey && mediaKeys ? mediaKeyIn(request.url ?? '') : undefined
      return mediaKeys && mediaKey !== undefined ? identifyByMediaKey(mediaKeys, mediaKey) : fromVisitor
    }
    if (Number(key !== undefined) + Number(session !== undefined) + Number(secret !== undefined) > 1)
      throw new Failure('UNAUTHENTICATED')
    if (secret !== undefined) return identify(secret, 'path')
    return session === undefined ? identify(key ?? '', 'header') : identify(session, 'cookie')
  }
}

/**
 * Creates an `identify` for requests to sign in or out: a browser may still send the cookie of a session that has
 * ended. What is in a header or a path must be usable: it was sent on purpose.
 */
export const toleratingUnusable =
  (identify: Identify): Identify =>
  async (request, acceptsMediaKey) =>
    readBearerToken(request) !== undefined || takenSecret(request) !== undefined
      ? identify(request, acceptsMediaKey)
      : orIfUnusable(async () => identify(request, acceptsMediaKey), fromVisitor)

/** @returns `other` if the credential has ended */
export async function orIfUnusable<T>(find: () => Promise<T>, other: T): Promise<T> {
  try {
    return await find()
  } catch (error) {
    if (error instanceof Failure && credentialFailures.has(error.reason)) return other
    throw error
  }
}

const credentialFailures: ReadonlySet<string> = new Set(['UNAUTHENTICATED', 'CREDENTIAL_EXPIRED'])
