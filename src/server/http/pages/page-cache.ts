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
  readonly headers: Readonly<Record<string, string>>
  readonly validUntil: number
  readonly plain: Buffer
  readonly gzip: Buffer
  readonly size: number

  constructor({ body, headers, dependencies, validUntil = Number.POSITIVE_INFINITY }: WrittenPage, position: Position) {
    this.dependencies = dependencies
    this.position = position
    this.validUntil = validUntil
    this.plain = Buffer.from(body)
    this.gzip = gzipSync(this.plain)
    this.size = this.plain.length + this.gzip.length
    // Weak, as both encodings have it (RFC 9110, 8.8.3.3).
    this.headers = { ...headers, etag: `W/"${hash('sha256', this.plain, 'base64url').slice(0, 22)}"` }
  }
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
