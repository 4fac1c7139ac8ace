import { LRUCache } from 'lru-cache'
import type { Role } from '../../contract/access.ts'
import type { Freshness, Versioned } from '../cache/freshness.ts'
import type { Clock } from '../core/clock.ts'
import { Failure } from '../core/failure.ts'
import type { Principal } from '../core/principal.ts'
import type { Database } from '../db/open.ts'
import type { Db } from '../db/tables.ts'
import { findUsable, isUnrevoked, markUsed, type UsableCredential } from './credential-store.ts'
import { hashSecret } from './secret.ts'

/** Principals that are kept in memory, each of about 300 bytes. */
const maxPrincipals = 20_000

/** How exactly the last use of a credential is known. */
const usedEveryMs = 60 * 60 * 1000

interface KnownPrincipal extends Versioned {
  principal: Principal
  expiresAt: number
  usedAt: number
}

/**
 * Finds the principals of secrets. Those in memory are used as long as the log shows no change of credentials or
 * participants, so that a request that begins after a credential was revoked, on any process, does not succeed.
 */
export class Principals {
  readonly #database: Database
  readonly #freshness: Freshness
  readonly #clock: Clock
  readonly #known = new LRUCache<string, KnownPrincipal>({ max: maxPrincipals })

  constructor(database: Database, freshness: Freshness, clock: Clock) {
    this.#database = database
    this.#freshness = freshness
    this.#clock = clock
  }

  /** @throws Failure UNAUTHENTICATED for an unknown or revoked secret, CREDENTIAL_EXPIRED */
  async find(secret: string): Promise<Principal> {
    const secretSha256 = hashSecret(secret)
    if (secretSha256 === undefined) throw new Failure('UNAUTHENTICATED')
    const position = await this.#freshness.refresh()
    const known = this.#known.get(secretSha256)
    const current = known && this.#freshness.isFresh(known) ? known : await this.#load(secretSha256, position)
    const now = this.#clock()
    if (current.expiresAt !== 0 && current.expiresAt <= now) throw new Failure('CREDENTIAL_EXPIRED')
    if (now - current.usedAt > usedEveryMs) this.#markUsed(current, now)
    return current.principal
  }

  async #load(secretSha256: string, position: Versioned['position']): Promise<KnownPrincipal> {
    const row = await findUsable(this.#database.read, secretSha256)
    if (!row) throw new Failure('UNAUTHENTICATED')
    const known: KnownPrincipal = {
      principal: toPrincipal(row),
      expiresAt: row.expires_at,
      usedAt: row.used_at,
      dependencies: ['credentials', 'participants'],
      position,
    }
    this.#known.set(secretSha256, known)
    return known
  }

  /** In the background: a read must succeed while nothing can be written. If this fails, a later use is stored. */
  #markUsed(known: KnownPrincipal, now: number): void {
    known.usedAt = now
    this.#database.transaction((db) => markUsed(db, known.principal.credential, now)).catch(() => {})
  }
}

/** Call it in the transaction of a write. @throws Failure UNAUTHENTICATED if the credential was revoked meanwhile */
export async function assertUnrevoked(db: Db, { credential }: Principal): Promise<void> {
  if (!(await isUnrevoked(db, credential))) throw new Failure('UNAUTHENTICATED')
}

function toPrincipal({ id, participant_id, roles }: UsableCredential): Principal {
  const ownRoles = roles === '' ? [] : (roles.split(',') as Role[])
  return {
    audience: ownRoles.length > 0 ? 'organizer' : 'participant',
    participant: participant_id,
    roles: ownRoles,
    credential: Number(id),
  }
}
