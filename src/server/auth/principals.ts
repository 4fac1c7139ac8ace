import type { CredentialKind } from '../../contract/me.ts'
import type { Clock } from '../core/clock.ts'
import { createCache } from '../core/create-cache.ts'
import { Failure } from '../core/failure.ts'
import type { Place, Principal } from '../core/principal.ts'
import type { Freshness, Versioned } from '../log/changes/freshness.ts'
import type { Database, Position } from '../storage/db/open.ts'
import type { Db } from '../storage/db/tables.ts'
import {
  changeScope,
  findIdOf,
  findUsable,
  findUsableById,
  headerScope,
  markUsed,
  type UsableCredential,
} from './credential-store.ts'
import { rolesOf } from './roles.ts'
import { hashSecret, isSecret } from './secret.ts'
import { isIdle, isUnused, type UseLimits, useLimitsOf } from './session-limits.ts'

/** Principals in memory, each of about 300 bytes. */
const maxPrincipals = 20_000

/** Uses of credentials are stored together after this delay, or again after a failure. */
const storeUsesMs = 1_000

interface KnownPrincipal extends Versioned {
  principal: Principal
  limits: UseLimits
  expiresAt: number
  usedAt: number
}

/**
 * Finds the principals of secrets. One in memory is used as long as the log shows that no credential was revoked and no
 * participant deleted, so that a request that begins after a revocation, on any process, does not succeed.
 */
export class Principals {
  readonly #database: Database
  readonly #freshness: Freshness
  readonly #clock: Clock
  // By secret: computing its hash takes as long as the rest of `find`.
  readonly #known = createCache<string, KnownPrincipal>(maxPrincipals)
  /** The last uses of credentials that have not been stored yet: times by id. */
  #uses = new Map<number, number>()
  #storing: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(database: Database, freshness: Freshness, clock: Clock) {
    this.#database = database
    this.#freshness = freshness
    this.#clock = clock
  }

  /**
   * The principal of a secret; undefined if it has to be loaded. Call it after `Freshness.refresh`.
   * @param place where it was sent; a secret of another place is as good as unknown
   * @throws UnusableCredential UNAUTHENTICATED, CREDENTIAL_EXPIRED
   */
  find(secret: string, place: Place): Principal | undefined {
    const known = this.#known.get(secret)
    const now = this.#clock()
    // Another process may have recorded a later use.
    if (!known || !this.#freshness.isFresh(known) || isUnused(known.usedAt, known.limits, now)) return undefined
    return this.#use(known, place, now)
  }

  /**
   * @param position of the log, read after the request arrived
   * @throws Failure UNAUTHENTICATED for an unknown or revoked secret, CREDENTIAL_EXPIRED; it is an
   *   {@link UnusableCredential} if we have issued the secret
   */
  async load(secret: string, place: Place, position: Position): Promise<Principal> {
    if (!isSecret(secret)) throw new Failure('UNAUTHENTICATED')
    const secretSha256 = hashSecret(secret)
    const row = await findUsable(this.#database.read, secretSha256)
    if (!row) {
      const revoked = await findIdOf(this.#database.read, secretSha256)
      throw revoked === undefined ? new Failure('UNAUTHENTICATED') : new UnusableCredential('UNAUTHENTICATED', revoked)
    }
    const known: KnownPrincipal = {
      principal: toPrincipal(row),
      limits: useLimitsOf(row),
      expiresAt: row.expires_at,
      usedAt: row.used_at,
      dependencies: ['credentials', `credential ${row.id}`],
      position,
    }
    this.#known.set(secret, known)
    return this.#use(known, place, this.#clock())
  }

  #use(known: KnownPrincipal, place: Place, now: number): Principal {
    const { principal, expiresAt, usedAt, limits } = known
    const { credential } = principal
    if (principal.place !== place) throw new UnusableCredential('UNAUTHENTICATED', credential)
    if (isExpired(expiresAt, now) || isUnused(usedAt, limits, now))
      throw new UnusableCredential('CREDENTIAL_EXPIRED', credential)
    if (now - usedAt > limits.recordedEveryMs) this.#markUsed(known, now)
    return principal
  }

  /** Reads do not wait for this: they go on while nothing can be written. */
  #markUsed(known: KnownPrincipal, now: number): void {
    known.usedAt = now
    this.#storeLater([[known.principal.credential, now]])
  }

  #storeLater(uses: Iterable<[id: number, usedAt: number]>): void {
    if (this.#uses.size === 0) setTimeout(() => this.#storeUses(), storeUsesMs).unref()
    for (const [id, usedAt] of uses) this.#uses.set(id, Math.max(usedAt, this.#uses.get(id) ?? 0))
  }

  #storeUses(): void {
    if (this.#isClosed) return
    const uses = this.#uses
    this.#uses = new Map()
    this.#storing = this.#database.transaction((db) => markUsed(db, uses)).catch(() => this.#storeLater(uses))
  }

  /** Stores no more uses: await it before the database closes. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#storing
  }
}

/**
 * Finds a principal as it is now. Call it in the transaction of a write, whose body may have taken minutes to arrive.
 * @throws Failure UNAUTHENTICATED if the credential was revoked meanwhile, CREDENTIAL_EXPIRED
 */
export async function findCurrent(db: Db, { credential }: Principal, now: number): Promise<Principal> {
  const row = await findUsableById(db, credential)
  if (!row) throw new Failure('UNAUTHENTICATED')
  if (isExpired(row.expires_at, now) || isIdle(row, now)) throw new Failure('CREDENTIAL_EXPIRED')
  return toPrincipal(row)
}

/** @param expiresAt 0 for never */
const isExpired = (expiresAt: number, now: number): boolean => expiresAt !== 0 && expiresAt <= now

export function toPrincipal(row: UsableCredential): Principal {
  // A secret URL is known to more than its owner, such as proxies, so it carries no role.
  const roles = row.kind === 'personal' || row.kind === 'app' ? [] : rolesOf(row.organizer_roles ?? row.roles)
  return {
    audience: roles.length > 0 ? 'organizer' : 'participant',
    participant: row.participant_id,
    organizer: row.organizer_id,
    roles,
    credential: row.id,
    kind: row.kind as CredentialKind,
    place: placeOf(row),
    ...(row.kind === 'app' && { app: row.roles === changeScope ? 'change' : 'create' }),
  }
}

/** Of a session, it is stored: a page cannot read the cookie, so it must not get a secret of the same use otherwise. */
function placeOf({ kind, roles }: UsableCredential): Place | '' {
  if (kind === 'bearer') return 'header'
  if (kind === 'session') return roles === headerScope ? 'header' : 'cookie'
  return kind === 'invitation' ? '' : 'path'
}

/**
 * A credential that has expired, was revoked or is sent in the wrong place. Its id lets the operator see who still uses
 * it.
 */
export class UnusableCredential extends Failure {
  readonly credential: number

  constructor(reason: 'UNAUTHENTICATED' | 'CREDENTIAL_EXPIRED', credential: number) {
    super(reason)
    this.credential = credential
  }
}
