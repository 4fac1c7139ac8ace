import { LRUCache } from 'lru-cache'
import type { Role } from '../../contract/access.ts'
import type { Freshness, Versioned } from '../cache/freshness.ts'
import type { Clock } from '../core/clock.ts'
import { Failure } from '../core/failure.ts'
import type { Principal } from '../core/principal.ts'
import type { Database, Position } from '../db/open.ts'
import type { Db } from '../db/tables.ts'
import { changeScope, findUnrevoked, findUsable, markUsed, type UsableCredential } from './credential-store.ts'
import { hashSecret, isSecret } from './secret.ts'

/** Principals in memory, each of about 300 bytes. */
const maxPrincipals = 20_000

/** The precision of the last use of a credential. */
const usedEveryMs = 60 * 60 * 1000

/** Uses of credentials are stored together after this delay, or again after a failure. */
const storeUsesMs = 1_000

interface KnownPrincipal extends Versioned {
  principal: Principal
  isInPath: boolean
  expiresAt: number
  usedAt: number
}

/** The sender of a request, and a position of the log that was read after the request had arrived. */
export interface Identified {
  principal: Principal
  position: Position
}

/**
 * Finds the principals of secrets. One in memory is used as long as the log shows that no credential was revoked and no
 * participant deleted, so that a request that begins after a revocation, on any process, does not succeed.
 */
export class Principals {
  readonly #database: Database
  readonly #freshness: Freshness
  readonly #clock: Clock
  readonly #known = new LRUCache<string, KnownPrincipal>({ max: maxPrincipals })
  /** Credentials whose use has not been stored yet. */
  readonly #used = new Set<number>()

  constructor(database: Database, freshness: Freshness, clock: Clock) {
    this.#database = database
    this.#freshness = freshness
    this.#clock = clock
  }

  /**
   * @param isInPath whether the secret was in the path of the request; the others are in its header
   * @throws Failure UNAUTHENTICATED for an unknown or revoked secret, or one that belongs elsewhere; CREDENTIAL_EXPIRED
   */
  async find(secret: string, isInPath: boolean): Promise<Identified> {
    if (!isSecret(secret)) throw new Failure('UNAUTHENTICATED')
    const secretSha256 = hashSecret(secret)
    const position = await this.#freshness.refresh()
    const known = this.#known.get(secretSha256)
    const current = known && this.#freshness.isFresh(known) ? known : await this.#load(secretSha256, position)
    if (current.isInPath !== isInPath) throw new Failure('UNAUTHENTICATED')
    const now = this.#clock()
    assertNotExpired(current.expiresAt, now)
    if (now - current.usedAt > usedEveryMs) this.#markUsed(current, now)
    return { principal: current.principal, position }
  }

  async #load(secretSha256: string, position: Position): Promise<KnownPrincipal> {
    const row = await findUsable(this.#database.read, secretSha256)
    if (!row) throw new Failure('UNAUTHENTICATED')
    const known: KnownPrincipal = {
      principal: toPrincipal(row),
      isInPath: row.kind === 'personal' || row.kind === 'app',
      expiresAt: row.expires_at,
      usedAt: row.used_at,
      dependencies: ['credentials'],
      position,
    }
    this.#known.set(secretSha256, known)
    return known
  }

  /** Reads do not wait for this: they go on while nothing can be written. */
  #markUsed(known: KnownPrincipal, now: number): void {
    known.usedAt = now
    this.#storeLater([known.principal.credential])
  }

  #storeLater(ids: number[]): void {
    if (this.#used.size === 0) setTimeout(() => this.#storeUses(), storeUsesMs).unref()
    for (const id of ids) this.#used.add(id)
  }

  #storeUses(): void {
    const ids = [...this.#used]
    this.#used.clear()
    this.#database.transaction((db) => markUsed(db, ids, this.#clock())).catch(() => this.#storeLater(ids))
  }
}

/**
 * Call it in the transaction of a write, whose body may have taken minutes to arrive.
 * @throws Failure UNAUTHENTICATED if the credential was revoked meanwhile, CREDENTIAL_EXPIRED
 */
export async function assertUsable(db: Db, { credential }: Principal, now: number): Promise<void> {
  const row = await findUnrevoked(db, credential)
  if (!row) throw new Failure('UNAUTHENTICATED')
  assertNotExpired(row.expires_at, now)
}

/** @param expiresAt 0 for never */
function assertNotExpired(expiresAt: number, now: number): void {
  if (expiresAt !== 0 && expiresAt <= now) throw new Failure('CREDENTIAL_EXPIRED')
}

function toPrincipal({ id, kind, participant_id, roles }: UsableCredential): Principal {
  const sender = { audience: 'participant', participant: participant_id, roles: [], credential: id } as const
  // An address is known to more than its owner, such as proxies, so it carries no role.
  if (kind === 'personal') return sender
  if (kind === 'app') return { ...sender, app: roles === changeScope ? 'change' : 'create' }
  const ownRoles = roles === '' ? [] : (roles.split(',') as Role[])
  return {
    audience: ownRoles.length > 0 ? 'organizer' : 'participant',
    participant: participant_id,
    roles: ownRoles,
    credential: id,
  }
}
