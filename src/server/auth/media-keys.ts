import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Context } from '../context.ts'
import { Failure } from '../core/failure.ts'
import { mediaKeyBytes, mediaKeyPrefix } from '../core/media-key.ts'
import { type Audience, isPrivate, type Principal, type PrivateAudience, visitor } from '../core/principal.ts'
import { dayMs } from '../core/time-units.ts'
import type { Freshness, Versioned } from '../log/changes/freshness.ts'
import { appendChange } from '../log/changes/log.ts'
import type { WriteScope } from '../scope.ts'
import type { Database, Position } from '../storage/db/open.ts'
import { findOrStoreSecret, findSecret, replaceSecret } from '../storage/db/stored-secret.ts'

const secretName = 'media_key'
const newSecret = (): string => randomBytes(32).toString('hex')

/** Days whose keys are in memory: requests name the current one and the day before. */
const maxDays = 10

type DayKeys = Readonly<Record<PrivateAudience, string>>

interface MediaSecret extends Versioned {
  /** By day since 1970. */
  keys: LRUCache<number, DayKeys>
}

/**
 * The keys in links to images and files where `ACCESS` is `members`: what loads them sends no header. A key is an HMAC
 * of the audience and the day (UTC), valid on that day and the next, and stored nowhere. Its secret is another than
 * that of `system.signature`, which apps may have.
 */
export class MediaKeys {
  readonly #database: Database
  readonly #freshness: Freshness
  readonly #clock: Context['clock']
  #secret: MediaSecret | undefined

  private constructor({ database, clock }: Context, freshness: Freshness) {
    this.#database = database
    this.#freshness = freshness
    this.#clock = clock
  }

  /** Creates the secret if there is none, so that no read has to. */
  static async open(ctx: Context, freshness: Freshness): Promise<MediaKeys> {
    await findOrStoreSecret(ctx.database, secretName, newSecret())
    return new MediaKeys(ctx, freshness)
  }

  /** The key for links that this audience reads; undefined if it has to be loaded. Call it after `Freshness.refresh`. */
  findFor(audience: Audience): string | undefined {
    if (!isPrivate(audience)) return ''
    return this.#inMemory()?.keys.memo(this.#today())[audience]
  }

  /** The key for links that this audience reads. @param position of the log, read after the request arrived */
  async keyFor(audience: Audience, position: Position): Promise<string> {
    if (!isPrivate(audience)) return ''
    return (await this.#current(position)).keys.memo(this.#today())[audience]
  }

  /**
   * The principal for whom images and files are loaded with a key.
   * @param position of the log, read after the request arrived
   * @throws Failure UNAUTHENTICATED
   */
  async verify(key: string, position: Position): Promise<Principal> {
    const { keys } = await this.#current(position)
    const today = this.#today()
    const sent = Buffer.from(key)
    for (const day of [today, today - 1])
      for (const [audience, valid] of Object.entries(keys.memo(day)) as [PrivateAudience, string][])
        if (isEqual(Buffer.from(valid), sent)) return { ...visitor, audience }
    throw new Failure('UNAUTHENTICATED')
  }

  /** Days since 1970. */
  #today(): number {
    return Math.floor(this.#clock() / dayMs)
  }

  #inMemory(): MediaSecret | undefined {
    return this.#secret && this.#freshness.isFresh(this.#secret) ? this.#secret : undefined
  }

  async #current(position: Position): Promise<MediaSecret> {
    const current = this.#inMemory()
    if (current) return current
    const secret = await findSecret(this.#database.read, secretName)
    if (secret === undefined) throw new Error('The secret of media keys is missing; a restart creates another.')
    const keyOf = (audience: PrivateAudience, day: number) =>
      mediaKeyPrefix + hmac(secret, `${audience} ${day}`).toString('base64url')
    const keysOf = (day: number): DayKeys => ({
      participant: keyOf('participant', day),
      organizer: keyOf('organizer', day),
    })
    this.#secret = { keys: new LRUCache({ max: maxDays, memoMethod: keysOf }), dependencies: ['media key'], position }
    return this.#secret
  }
}

const isEqual = (one: Buffer, other: Buffer): boolean => one.length === other.length && timingSafeEqual(one, other)

const hmac = (secret: string, text: string): Buffer =>
  createHmac('sha256', Buffer.from(secret, 'hex')).update(text).digest().subarray(0, mediaKeyBytes)

/** From then on no key that was given out before is valid, on any server. */
export async function rotateMediaKeys(scope: WriteScope): Promise<void> {
  await replaceSecret(scope.db, secretName, newSecret())
  await appendChange(scope, { kind: 'media_key.rotated', record: 0 })
}
