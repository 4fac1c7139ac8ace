import type { Clock } from '../../core/clock.ts'
import { hourMs } from '../../core/time-units.ts'
import type { Freshness, Versioned } from '../../log/changes/freshness.ts'
import type { Dependency } from '../../operation.ts'
import { engineFailureReason } from '../../storage/db/errors.ts'
import type { Database, Position } from '../../storage/db/open.ts'
import type { Db } from '../../storage/db/tables.ts'
import { SegmentedCache } from './segmented-cache.ts'

/** Approximate memory of a cached value besides its bytes: its key and objects. */
const overheadBytes = 1_000

/**
 * Base URLs whose responses are cached at a time. There are more than one only without `PUBLIC_URL`, where each request
 * names its own.
 */
const maxBaseUrls = 8

/** A base URL whose responses nobody has read for this long gives its place to another. */
const baseUrlIdleMs = hourMs

export interface VersionedCacheOptions {
  database: Database
  freshness: Freshness
  /** 0 disables caching, and sharing of values that are being built. */
  maxBytes: number
  clock: Clock
}

/** The base URL is in all that is built for it. */
interface Key {
  readonly baseUrl: string
}

/** What is read for a value, with exactly what it depends on. */
interface Rendered {
  readonly dependencies: readonly Dependency[]
}

interface Value extends Versioned {
  /** In bytes. */
  readonly size: number
}

/** A value that is being built, shared by the requests that need it. */
interface Pending<V> extends Versioned {
  value: Promise<V>
}

/**
 * Bytes of responses, cached until a dependency changes. Never stale: each request reads the log's position first, and
 * each value is built from a single state, so it reflects a state at or after the start of its request.
 */
export abstract class VersionedCache<K extends Key, R extends Rendered, V extends Value> {
  readonly #database: Database
  readonly #freshness: Freshness
  readonly #clock: Clock
  readonly #maxBytes: number
  readonly #cached: SegmentedCache<V>
  /** The base URLs whose values are cached, each with the time of its last response. */
  readonly #baseUrls = new Map<string, number>()
  readonly #pending = new Map<string, Pending<V>>()

  constructor({ database, freshness, maxBytes, clock }: VersionedCacheOptions) {
    this.#database = database
    this.#freshness = freshness
    this.#clock = clock
    this.#maxBytes = maxBytes
    this.#cached = new SegmentedCache(maxBytes, ({ size }) => size + overheadBytes)
  }

  /** The key as one string, which is that of no other key. */
  protected abstract serialize(key: K): string

  /** An upper bound of what a value depends on, before it is built. */
  protected abstract dependenciesOf(key: K): Dependency[]

  /** Reads a value from the given database. @param position of the log before that */
  protected abstract render(key: K, db: Db, position: Position): Promise<R>

  /** @param position of the log, after which what was read has not changed */
  protected abstract finish(key: K, rendered: R, position: Position): V

  /** Whether a value may be asked for again. */
  protected isWorthCaching(_key: K, _value: V): boolean {
    return true
  }

  /**
   * Returns the cached value for this key if it is fresh. Call it after `Freshness.refresh`, without waiting in between.
   */
  find(key: K): V | undefined {
    const cached = this.#cached.get(this.serialize(key))
    if (!cached || !this.#freshness.isFresh(cached)) return undefined
    if (this.#baseUrls.has(key.baseUrl)) this.#baseUrls.set(key.baseUrl, this.#clock())
    return cached
  }

  /**
   * Builds the value for this key. Concurrent requests for a key share one build.
   * @param position of the log, read after the request arrived
   * @throws the error of the read
   */
  build(key: K, position: Position): Promise<V> {
    if (this.#maxBytes === 0) return this.#create(key, position)
    const cacheKey = this.serialize(key)
    const pending = this.#pending.get(cacheKey)
    if (pending && this.#freshness.isFresh(pending)) return pending.value
    return this.#buildAndCache(cacheKey, key, position)
  }

  async #buildAndCache(cacheKey: string, key: K, position: Position): Promise<V> {
    const value = this.#create(key, position)
    const pending: Pending<V> = { dependencies: this.dependenciesOf(key), position, value }
    this.#pending.set(cacheKey, pending)
    try {
      const built = await value
      if (this.isWorthCaching(key, built) && this.#hasPlace(key.baseUrl)) this.#cached.set(cacheKey, built)
      return built
    } finally {
      if (this.#pending.get(cacheKey) === pending) this.#pending.delete(cacheKey)
    }
  }

  /** Whether values with this base URL are cached: it has a place, or there is one for it. */
  #hasPlace(baseUrl: string): boolean {
    const now = this.#clock()
    if (!this.#baseUrls.has(baseUrl) && this.#baseUrls.size >= maxBaseUrls) {
      const idle = [...this.#baseUrls].find(([, lastUsed]) => now - lastUsed >= baseUrlIdleMs)
      if (!idle) return false
      this.#baseUrls.delete(idle[0])
    }
    this.#baseUrls.set(baseUrl, now)
    return true
  }

  #create(key: K, position: Position): Promise<V> {
    const { readCommitted } = this.#database
    return readCommitted
      ? this.#createFromQueries(key, position, readCommitted)
      : this.#createFromSnapshot(key, position)
  }

  /** @param position of the log before the snapshot */
  async #createFromSnapshot(key: K, position: Position): Promise<V> {
    return this.finish(key, await this.#database.snapshot((db) => this.render(key, db, position)), position)
  }

  /**
   * Reads without a snapshot, which would cost more. If no dependency has changed between two reads of the log's
   * position, which requests share, all queries saw the same state. Otherwise builds the value again, from a snapshot.
   */
  async #createFromQueries(
    key: K,
    position: Position,
    readCommitted: NonNullable<Database['readCommitted']>,
  ): Promise<V> {
    let rendered: R | undefined
    let failure: unknown
    try {
      rendered = await readCommitted((db) => this.render(key, db, position))
    } catch (error) {
      // The request has already waited for an unavailable database; it must not wait again.
      if (engineFailureReason(error)) throw error
      failure = error
    }
    const version: Versioned = { dependencies: rendered?.dependencies ?? this.dependenciesOf(key), position }
    const seen = await this.#freshness.refresh()
    if (!this.#freshness.isFresh(version)) return this.#createFromSnapshot(key, seen)
    // Rethrown only now: a change in between could have been the cause.
    if (!rendered) throw failure
    return this.finish(key, rendered, version.position)
  }
}
