import type { Clock } from '../../core/clock.ts'
import type { HmacKey } from '../../core/hmac-key.ts'
import type { Viewer } from '../../core/principal.ts'
import { hourMs } from '../../core/time-units.ts'
import type { Freshness, Versioned } from '../../log/changes/freshness.ts'
import type { CachedOperationName, Dependency } from '../../operation.ts'
import { engineFailureReason } from '../../storage/db/errors.ts'
import type { Database, Position } from '../../storage/db/open.ts'
import type { Db } from '../../storage/db/tables.ts'
import type { ResponseBudget } from '../budgets/response-budget.ts'
import { CachedResponse } from './cached-response.ts'
import { SegmentedCache } from './segmented-cache.ts'

/** Approximate memory of a cached response besides its bytes: its key and objects. */
const overheadBytes = 1_000

/**
 * Base URLs whose responses are cached at a time. There are more than one only without `PUBLIC_URL`, where each request
 * names its own.
 */
const maxBaseUrls = 8

/** A base URL whose responses nobody has read for this long gives its place to another. */
const baseUrlIdleMs = hourMs

/** Reads the `data` of a response from the given database. */
export type ReadData = (key: ResponseKey, db: Db) => Promise<object>

interface ResponseCacheOptions {
  database: Database
  freshness: Freshness
  signatureKey: HmacKey
  /** 0 disables caching, and sharing of responses that are being built. */
  maxBytes: number
  budget: ResponseBudget
  clock: Clock
  read: ReadData
  /** The dependencies of a response. @param data of the response, once it has been read */
  dependenciesOf(key: ResponseKey, data?: object): Dependency[]
}

/** A response that is being built, shared by the requests that need it. */
interface PendingResponse extends Versioned {
  response: Promise<CachedResponse>
}

/**
 * Responses of reads, cached as bytes until a dependency changes. Never stale: each request reads the log's position
 * first, and each response is built from a single state, so a response reflects a state at or after the start of its
 * request.
 */
export class ResponseCache {
  readonly #options: ResponseCacheOptions
  readonly #freshness: Freshness
  readonly #cached: SegmentedCache<CachedResponse>
  /** The base URLs whose responses are cached, each with the time of its last response. */
  readonly #baseUrls = new Map<string, number>()
  readonly #pending = new Map<string, PendingResponse>()

  constructor(options: ResponseCacheOptions) {
    this.#options = options
    this.#freshness = options.freshness
    this.#cached = new SegmentedCache(options.maxBytes, ({ size }) => size + overheadBytes)
  }

  /**
   * Returns the cached response for this key if it is fresh. Call it after `Freshness.refresh`, without waiting in
   * between.
   * @throws Failure UNAVAILABLE for a large response while too many bytes wait to be sent
   */
  find(key: ResponseKey): CachedResponse | undefined {
    const cached = this.#cached.get(serializeKey(key))
    if (!cached || !this.#freshness.isFresh(cached)) return undefined
    if (this.#baseUrls.has(key.baseUrl)) this.#baseUrls.set(key.baseUrl, this.#options.clock())
    this.#options.budget.assertAvailable(cached.size)
    return cached
  }

  /**
   * Builds the response for this key. Concurrent requests for a key share one build.
   * @param position of the log, read after the request arrived
   * @throws the error of the read; Failure UNAVAILABLE for a large response while too many bytes wait to be sent
   */
  build(key: ResponseKey, position: Position): Promise<CachedResponse> {
    if (this.#options.maxBytes === 0) return this.#build(key, position)
    const cacheKey = serializeKey(key)
    const pending = this.#pending.get(cacheKey)
    if (pending && this.#freshness.isFresh(pending)) return pending.response
    return this.#buildAndCache(cacheKey, key, position)
  }

  async #buildAndCache(cacheKey: string, key: ResponseKey, position: Position): Promise<CachedResponse> {
    const response = this.#build(key, position)
    const pending: PendingResponse = { dependencies: this.#options.dependenciesOf(key), position, response }
    this.#pending.set(cacheKey, pending)
    try {
      const built = await response
      if (!isEndless(key, built) && this.#hasPlace(key.baseUrl)) this.#cached.set(cacheKey, built)
      return built
    } finally {
      if (this.#pending.get(cacheKey) === pending) this.#pending.delete(cacheKey)
    }
  }

  /** Whether responses with this base URL are cached: it has a place, or there is one for it. */
  #hasPlace(baseUrl: string): boolean {
    const now = this.#options.clock()
    if (!this.#baseUrls.has(baseUrl) && this.#baseUrls.size >= maxBaseUrls) {
      const idle = [...this.#baseUrls].find(([, lastUsed]) => now - lastUsed >= baseUrlIdleMs)
      if (!idle) return false
      this.#baseUrls.delete(idle[0])
    }
    this.#baseUrls.set(baseUrl, now)
    return true
  }

  #build(key: ResponseKey, position: Position): Promise<CachedResponse> {
    const { readCommitted } = this.#options.database
    return readCommitted ? this.#buildFromQueries(key, position, readCommitted) : this.#buildFromSnapshot(key, position)
  }

  /** @param position of the log before the snapshot */
  async #buildFromSnapshot(key: ResponseKey, position: Position): Promise<CachedResponse> {
    const { text, ...rendered } = await this.#options.database.snapshot((db) => this.#render(key, db))
    return new CachedResponse(this.#options.signatureKey, text, { name: key.name, ...rendered, position })
  }

  /**
   * Reads without a snapshot, which would cost more. If no dependency has changed between two reads of the log's
   * position, which requests share, all queries saw the same state. Otherwise builds the response again, from a
   * snapshot.
   */
  async #buildFromQueries(
    key: ResponseKey,
    position: Position,
    readCommitted: NonNullable<Database['readCommitted']>,
  ): Promise<CachedResponse> {
    let rendered: RenderedData | undefined
    let failure: unknown
    try {
      rendered = await readCommitted((db) => this.#render(key, db))
    } catch (error) {
      // The request has already waited for an unavailable database; it must not wait again.
      if (engineFailureReason(error)) throw error
      failure = error
    }
    const version: Versioned = { dependencies: rendered?.dependencies ?? this.#options.dependenciesOf(key), position }
    const seen = await this.#freshness.refresh()
    if (!this.#freshness.isFresh(version)) return this.#buildFromSnapshot(key, seen)
    // Rethrown only now: a change in between could have been the cause.
    if (!rendered) throw failure
    const { isEmpty, text } = rendered
    return new CachedResponse(this.#options.signatureKey, text, { name: key.name, isEmpty, ...version })
  }

  async #render(key: ResponseKey, db: Db): Promise<RenderedData> {
    const data = await this.#options.read(key, db)
    const text = JSON.stringify(data)
    // Checked before the bytes are allocated, of which there are at least as many as characters.
    this.#options.budget.assertAvailable(text.length)
    const isEmpty = Object.values(data).some((records) => Array.isArray(records) && records.length === 0)
    return { text, isEmpty, dependencies: this.#options.dependenciesOf(key, data) }
  }
}

/** The key as one string. It is unique: no part contains a space, and no audience begins with another. */
const serializeKey = ({ audience, mediaKey, baseUrl, path }: ResponseKey): string =>
  `${audience}${mediaKey} ${baseUrl} ${path}`

/** Whether there are as many such responses as numbers: past the end of a list, or of participants without feedback. */
const isEndless = ({ name, input }: ResponseKey, { isEmpty }: CachedResponse): boolean =>
  isEmpty && (input.offset !== 0 || name === 'listFeedbackOfParticipant')

interface RenderedData {
  /** The JSON text of the data. The data itself is larger, and no longer needed. */
  text: string
  /** Whether the data is a list without records. */
  isEmpty: boolean
  dependencies: Dependency[]
}

/**
 * Everything that a cached response is built from, besides the database. Nothing else of a request may enter it: every
 * request with the same key gets the same response, for any client.
 */
export interface ResponseKey extends Viewer {
  readonly name: CachedOperationName
  /** The validated parameters. */
  readonly input: Readonly<Record<string, unknown>>
  /** The path of the operation with `input` in it. */
  readonly path: string
}
