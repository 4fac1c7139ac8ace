import type { HmacKey } from '../../core/hmac-key.ts'
import type { Viewer } from '../../core/principal.ts'
import type { CachedOperationName, Dependency } from '../../operation.ts'
import type { Position } from '../../storage/db/open.ts'
import type { Db } from '../../storage/db/tables.ts'
import type { ResponseBudget } from '../budgets/response-budget.ts'
import { CachedResponse } from './cached-response.ts'
import { VersionedCache, type VersionedCacheOptions } from './versioned-cache.ts'

/** Reads the `data` of a response from the given database. */
export type ReadData = (key: ResponseKey, db: Db) => Promise<object>

interface ResponseCacheOptions extends VersionedCacheOptions {
  signatureKey: HmacKey
  budget: ResponseBudget
  read: ReadData
  /** The dependencies of a response. @param data of the response, once it has been read */
  dependenciesOf(key: ResponseKey, data?: object): Dependency[]
}

/** Responses of reads, cached as bytes. */
export class ResponseCache extends VersionedCache<ResponseKey, RenderedData, CachedResponse> {
  readonly #options: ResponseCacheOptions

  constructor(options: ResponseCacheOptions) {
    super(options)
    this.#options = options
  }

  /** It is unique: no part contains a space, and no audience begins with another. */
  protected override serialize({ audience, mediaKey, baseUrl, path }: ResponseKey): string {
    return `${audience}${mediaKey} ${baseUrl} ${path}`
  }

  protected override dependenciesOf(key: ResponseKey): Dependency[] {
    return this.#options.dependenciesOf(key)
  }

  protected override isWorthCaching(key: ResponseKey, response: CachedResponse): boolean {
    return !isEndless(key, response)
  }

  /** @throws Failure UNAVAILABLE for a large response while too many bytes wait to be sent */
  override find(key: ResponseKey): CachedResponse | undefined {
    const cached = super.find(key)
    if (cached) this.#options.budget.assertAvailable(cached.size)
    return cached
  }

  protected override finish({ name }: ResponseKey, { text, ...rendered }: RenderedData, position: Position) {
    return new CachedResponse(this.#options.signatureKey, text, { name, ...rendered, position })
  }

  /** @throws Failure UNAVAILABLE for a large response while too many bytes wait to be sent */
  protected override async render(key: ResponseKey, db: Db): Promise<RenderedData> {
    const data = await this.#options.read(key, db)
    const text = JSON.stringify(data)
    // Checked before the bytes are allocated, of which there are at least as many as characters.
    this.#options.budget.assertAvailable(text.length)
    const isEmpty = Object.values(data).some((records) => Array.isArray(records) && records.length === 0)
    return { text, isEmpty, dependencies: this.#options.dependenciesOf(key, data) }
  }
}

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
