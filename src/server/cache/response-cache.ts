import type { KeyObject } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { ResponseBudget } from '../core/response-budget.ts'
import { engineFailureReason } from '../db/errors.ts'
import type { Database, Position } from '../db/open.ts'
import type { Db } from '../db/tables.ts'
import { CachedResponse } from './cached-response.ts'
import { dependenciesOf, type Part } from './dependencies.ts'
import type { Freshness, Versioned } from './freshness.ts'
import { keyText, type ResponseKey } from './key.ts'

/** What a cached response takes besides its bytes, roughly: its key and objects. */
const overhead = 1_000

/** Reads the `data` of a response from the database that it is given. */
export type ReadData = (key: ResponseKey, db: Db) => Promise<object>

interface ResponseCacheOptions {
  database: Database
  freshness: Freshness
  signatureKey: KeyObject
  /** 0 caches nothing, and shares nothing. */
  maxBytes: number
  budget: ResponseBudget
  read: ReadData
}

/** A response that is being made, for every request that asks for it meanwhile. */
interface Pending extends Versioned {
  response: Promise<CachedResponse>
}

/**
 * Responses of reads, cached as bytes until something that they show changes. Exact: a response is of a state of the
 * database at or after the moment of its request, since each request looks at the log's position first, and each
 * response is made from one state.
 */
export class ResponseCache {
  readonly #options: ResponseCacheOptions
  readonly #freshness: Freshness
  readonly #cached: LRUCache<string, CachedResponse>
  readonly #pending = new Map<string, Pending>()

  constructor(options: ResponseCacheOptions) {
    this.#options = options
    this.#freshness = options.freshness
    this.#cached = new LRUCache({
      // 0 would be without bounds.
      maxSize: Math.max(1, options.maxBytes),
      sizeCalculation: ({ size }) => size + overhead,
    })
  }

  /**
   * The response for this key, made if it is not cached or not fresh. Requests for the same key share one that is being made.
   * @throws what reading throws; Failure UNAVAILABLE for a large response while too many bytes wait to be sent
   */
  async get(key: ResponseKey): Promise<CachedResponse> {
    const position = await this.#freshness.refresh()
    if (this.#options.maxBytes === 0) return this.#make(key, position)
    const text = keyText(key)
    const cached = this.#cached.get(text)
    if (cached && this.#freshness.isFresh(cached)) {
      this.#options.budget.admit(cached.size)
      return cached
    }
    const pending = this.#pending.get(text)
    if (pending && this.#freshness.isFresh(pending)) return pending.response
    return this.#makeOnce(text, key, position)
  }

  async #makeOnce(text: string, key: ResponseKey, position: Position): Promise<CachedResponse> {
    const response = this.#make(key, position)
    const pending: Pending = { parts: dependenciesOf(key), position, response }
    this.#pending.set(text, pending)
    try {
      const made = await response
      made.detach()
      this.#cached.set(text, made)
      return made
    } finally {
      if (this.#pending.get(text) === pending) this.#pending.delete(text)
    }
  }

  #make(key: ResponseKey, position: Position): Promise<CachedResponse> {
    const { readCommitted } = this.#options.database
    return readCommitted ? this.#makeFromMany(key, position, readCommitted) : this.#makeFromOne(key, position)
  }

  /** @param position of the log, before */
  async #makeFromOne(key: ResponseKey, position: Position): Promise<CachedResponse> {
    const { text, parts } = await this.#options.database.snapshot((db) => this.#print(key, db))
    return new CachedResponse(this.#options.signatureKey, text, { name: key.name, parts, position })
  }

  /**
   * When nothing that a response shows has changed between two looks at the log, all of its queries saw the same state,
   * and looks are shared. Only a response that was overtaken is made again, from a snapshot of its own, which costs more.
   */
  async #makeFromMany(
    key: ResponseKey,
    position: Position,
    readCommitted: NonNullable<Database['readCommitted']>,
  ): Promise<CachedResponse> {
    let printed: Printed | undefined
    let failure: unknown
    try {
      printed = await readCommitted((db) => this.#print(key, db))
    } catch (error) {
      // A request that has waited for a database that is away is not to wait once more.
      if (engineFailureReason(error)) throw error
      failure = error
    }
    const version: Versioned = { parts: printed?.parts ?? dependenciesOf(key), position }
    const seen = await this.#freshness.refresh()
    if (!this.#freshness.isFresh(version)) return this.#makeFromOne(key, seen)
    // Had something changed, that might have been why it failed.
    if (!printed) throw failure
    return new CachedResponse(this.#options.signatureKey, printed.text, { name: key.name, ...version })
  }

  async #print(key: ResponseKey, db: Db): Promise<Printed> {
    const data = await this.#options.read(key, db)
    const text = JSON.stringify(data)
    // Before more is read: it has no fewer bytes than characters.
    this.#options.budget.admit(text.length)
    return { text, parts: dependenciesOf(key, data) }
  }
}

interface Printed {
  /** The JSON text of the data, which is larger and not needed any more. */
  text: string
  parts: Part[]
}
