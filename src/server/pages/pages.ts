import type { Context } from '../context.ts'
import { failureOfEngine } from '../db/errors.ts'
import type { Database, Position } from '../db/open.ts'
import type { Db } from '../db/tables.ts'
import type { Unsent } from '../http/unsent.ts'
import type { PageName, Part } from './dependencies.ts'
import { Freshness, type Made } from './freshness.ts'
import { KeptPages } from './kept-pages.ts'
import { Page } from './page.ts'

/** What is asked for. */
export interface Wanted {
  /** Tells it from every other page, see `http/page-key.ts`. */
  readonly key: string
  readonly name: PageName
  /** What it shows, as far as that is known without its data, and with it. */
  readonly partsOf: (data?: object) => Part[]
  /** Makes its `data` from the database that it is given, whenever it is asked to. */
  readonly make: (db: Db) => Promise<object>
}

/** A page that is being made for everybody who asks for it. */
interface Making extends Made {
  page: Promise<Page>
}

/**
 * Answers of reads, kept as bytes until something that they show changes. Exact: every answer is of a state of the
 * database at or after the moment at which it was asked for, since each is preceded by a look at the log's position,
 * and each page is made of one such state.
 */
export class Pages {
  readonly #ctx: Pick<Context, 'database' | 'signatureKey'>
  readonly #freshness: Freshness
  readonly #kept: KeptPages
  readonly #keepsNone: boolean
  readonly #unsent: Unsent
  readonly #making = new Map<string, Making>()

  /** @param maxBytes 0 keeps none, and shares none */
  constructor(ctx: Pick<Context, 'database' | 'signatureKey'>, maxBytes: number, unsent: Unsent) {
    this.#unsent = unsent
    this.#ctx = ctx
    this.#freshness = new Freshness(ctx.database)
    this.#kept = new KeptPages(maxBytes)
    this.#keepsNone = maxBytes === 0
  }

  /**
   * The page that is wanted, made if it is not there or not fresh. Those who ask for the same page together share one
   * that is being made.
   * @throws what `make` throws; Failure UNAVAILABLE for a large page while too much is on its way
   */
  async get(wanted: Wanted): Promise<Page> {
    const { key, partsOf } = wanted
    const position = await this.#freshness.look()
    if (this.#keepsNone) return this.#make(wanted, position)
    const kept = this.#kept.get(key)
    if (kept && this.#freshness.isFresh(kept)) {
      this.#unsent.refuseLarge(kept.size)
      return kept
    }
    const underWay = this.#making.get(key)
    if (underWay && this.#freshness.isFresh(underWay)) return underWay.page
    const page = this.#make(wanted, position)
    const making: Making = { parts: partsOf(), position, page }
    this.#making.set(key, making)
    try {
      this.#kept.set(key, await page)
      return await page
    } finally {
      if (this.#making.get(key) === making) this.#making.delete(key)
    }
  }

  #make(wanted: Wanted, position: Position): Promise<Page> {
    const { gather } = this.#ctx.database
    return gather ? this.#makeFromMany(wanted, position, gather) : this.#makeFromOne(wanted, position)
  }

  /** @param position that the log had before */
  async #makeFromOne(wanted: Wanted, position: Position): Promise<Page> {
    const { text, parts } = await this.#ctx.database.snapshot((db) => this.#print(wanted, db))
    return new Page(this.#ctx.signatureKey, text, { name: wanted.name, parts, position })
  }

  /**
   * When nothing that a page shows has changed between two looks at the log, all of its queries saw the same, and looks
   * are shared. Only a page that was overtaken is made again, from one state: that is its own, and dearer.
   */
  async #makeFromMany(wanted: Wanted, position: Position, gather: NonNullable<Database['gather']>): Promise<Page> {
    let made: Printed | undefined
    let failure: unknown
    try {
      made = await gather((db) => this.#print(wanted, db))
    } catch (error) {
      // Who has waited for a database that is away is not to wait once more.
      if (failureOfEngine(error)) throw error
      failure = error
    }
    const state: Made = { parts: made?.parts ?? wanted.partsOf(), position }
    const seen = await this.#freshness.look()
    if (!this.#freshness.isFresh(state)) return this.#makeFromOne(wanted, seen)
    // Had something changed, that might have been why it failed.
    if (!made) throw failure
    return new Page(this.#ctx.signatureKey, made.text, { name: wanted.name, ...state })
  }

  async #print({ make, partsOf }: Wanted, db: Db): Promise<Printed> {
    const data = await make(db)
    const text = JSON.stringify(data)
    // At once, before more is read: it has no fewer bytes than characters.
    this.#unsent.refuseLarge(text.length)
    return { text, parts: partsOf(data) }
  }
}

/** What a page says, and which parts it shows. */
interface Printed {
  /** The JSON text of its data, which is larger and not needed any more. */
  text: string
  parts: Part[]
}
