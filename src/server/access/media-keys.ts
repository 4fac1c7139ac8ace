import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Freshness, Versioned } from '../cache/freshness.ts'
import { appendChange } from '../changes/log.ts'
import type { Context } from '../context.ts'
import { Failure } from '../core/failure.ts'
import { mediaKeyBytes, mediaKeyPrefix } from '../core/media-key.ts'
import { memoize } from '../core/memoize.ts'
import { type Audience, isPrivate, type Principal, visitor } from '../core/principal.ts'
import { dayMs } from '../core/time-units.ts'
import type { Database, Position } from '../db/open.ts'
import { findOrStoreSecret, findSecret, replaceSecret } from '../db/stored-secret.ts'
import type { WriteScope } from '../scope.ts'
import type { Identified } from './principals.ts'

const secretName = 'media_key'
const newSecret = (): string => randomBytes(32).toString('hex')

/** Those whose links need a key. */
const audiences = ['participant', 'organizer'] as const satisfies readonly Audience[]

/** Keys in memory: two audiences, for a while. */
const maxKeys = 100

interface MediaSecret extends Versioned {
  keyOf: (audienceAndDay: string) => string
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

  /** The key for links that this audience reads. @param position of the log, read after the request arrived */
  async keyFor(audience: Audience, position: Position): Promise<string> {
    if (!isPrivate(audience)) return ''
    return (await this.#current(position)).keyOf(`${audience} ${this.#today()}`)
  }

  /** Finds whom a key admits to images and files. @throws Failure UNAUTHENTICATED */
  async find(key: string): Promise<Identified> {
    const position = await this.#freshness.refresh()
    const { keyOf } = await this.#current(position)
    const today = this.#today()
    const sent = Buffer.from(key)
    const audience = audiences.find((one) =>
      [today, today - 1].some((day) => {
        const valid = Buffer.from(keyOf(`${one} ${day}`))
        return valid.length === sent.length && timingSafeEqual(valid, sent)
      }),
    )
    if (!audience) throw new Failure('UNAUTHENTICATED')
    const principal: Principal = { ...visitor, audience }
    return { principal, position }
  }

  /** Days since 1970. */
  #today(): number {
    return Math.floor(this.#clock() / dayMs)
  }

  async #current(position: Position): Promise<MediaSecret> {
    if (this.#secret && this.#freshness.isFresh(this.#secret)) return this.#secret
    const secret = await findSecret(this.#database.read, secretName)
    if (secret === undefined) throw new Error('The secret of media keys is missing; a restart creates another.')
    const keyOf = memoize(maxKeys, (text: string) => mediaKeyPrefix + hmac(secret, text).toString('base64url'))
    this.#secret = { keyOf, dependencies: ['media key'], position }
    return this.#secret
  }
}

const hmac = (secret: string, text: string): Buffer =>
  createHmac('sha256', Buffer.from(secret, 'hex')).update(text).digest().subarray(0, mediaKeyBytes)

/** From then on no key that was given out before admits anyone, on any server. */
export async function rotateMediaKeys(scope: WriteScope): Promise<void> {
  await replaceSecret(scope.db, secretName, newSecret())
  await appendChange(scope, { kind: 'media_key.rotated', record: 0 })
}
