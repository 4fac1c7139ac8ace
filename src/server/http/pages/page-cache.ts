import { hash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { Viewer } from '../../core/principal.ts'
import type { Versioned } from '../../log/changes/freshness.ts'
import type { Dependency } from '../../operation.ts'
import type { Position } from '../../storage/db/open.ts'
import type { Db } from '../../storage/db/tables.ts'
import { VersionedCache, type VersionedCacheOptions } from '../cache/versioned-cache.ts'
import type { AttendeePage } from './attendee/site.ts'

/** Everything that a cached page is made of, besides the database and the time. Nothing else of a request may enter it. */
export interface PageKey extends Omit<Viewer, 'mediaKey'> {
  readonly page: AttendeePage
  readonly params: Readonly<Record<string, string>>
  /** That of the page with its parameters, without a query. */
  readonly path: string
}

/** A page as it is written, with what it depends on. */
export interface WrittenPage {
  body: string
  headers: Record<string, string>
  dependencies: readonly Dependency[]
  /** Until when it shows what is on, in milliseconds since 1970; undefined if it does not depend on the time. */
  validUntil: number | undefined
}

/** A page as bytes, ready to send. */
export class CachedPage implements Versioned {
  readonly dependencies: readonly Dependency[]
  position: Position
  readonly validUntil: number
  readonly etag: string
  /** The headers of a response without a body: alternating names and values. */
  readonly headers: readonly string[]
  readonly plain: EncodedPage
  readonly gzip: EncodedPage
  readonly size: number

  constructor({ body, headers, dependencies, validUntil = Number.POSITIVE_INFINITY }: WrittenPage, position: Position) {
    this.dependencies = dependencies
    this.position = position
    this.validUntil = validUntil
    const plain = Buffer.from(body)
    const gzip = gzipSync(plain)
    // Weak, as both encodings have it (RFC 9110, 8.8.3.3).
    this.etag = `W/"${hash('sha256', plain, 'base64url').slice(0, 22)}"`
    this.headers = Object.entries({ ...headers, etag: this.etag }).flat()
    this.plain = { body: plain, headers: [...this.headers, 'content-length', String(plain.length)] }
    const encoding = ['content-encoding', 'gzip', 'content-length', String(gzip.length)]
    this.gzip = { body: gzip, headers: [...this.headers, ...encoding] }
    this.size = plain.length + gzip.length
  }
}

/** A page in one encoding, with all of its headers: alternating names and values. */
interface EncodedPage {
  readonly body: Buffer
  readonly headers: readonly string[]
}

interface PageCacheOptions extends VersionedCacheOptions {
  write(key: PageKey, db: Db, position: Position): Promise<WrittenPage>
}

/** Pages as bytes, cached until what they show changes, or the time comes at which they show something else. */
export class PageCache extends VersionedCache<PageKey, WrittenPage, CachedPage> {
  readonly #options: PageCacheOptions

  constructor(options: PageCacheOptions) {
    super(options)
    this.#options = options
  }

  override find(key: PageKey): CachedPage | undefined {
    const cached = super.find(key)
    return cached && this.#options.clock() < cached.validUntil ? cached : undefined
  }

  /** It is unique: no audience or base URL contains a space. */
  protected override serialize({ audience, baseUrl, path }: PageKey): string {
    return `${audience} ${baseUrl} ${path}`
  }

  /** All that pages show. */
  protected override dependenciesOf(): Dependency[] {
    return ['program', 'topics', 'participants']
  }

  protected override render(key: PageKey, db: Db, position: Position): Promise<WrittenPage> {
    return this.#options.write(key, db, position)
  }

  protected override finish(_key: PageKey, page: WrittenPage, position: Position): CachedPage {
    return new CachedPage(page, position)
  }
}
