import { changesAfter } from '../changes/log.ts'
import type { Database } from '../db/open.ts'
import { type Part, touchedBy } from './dependencies.ts'

/** Changes read at once; more than that since the last look, as at start, count as a change of everything. */
const mostChanges = 10_000

/** Topics whose last change is remembered one by one. */
const mostParts = 100_000

/** Something made from the database. */
export interface Made {
  readonly parts: readonly Part[]
  /** Up to here in the log it is right: none of its parts has changed after the state that it was made from. */
  position: number
}

/**
 * Knows what has changed since something was made, from the change log alone: whoever wrote it, in this process or
 * another, nothing has to tell us. Costs one look at the log's position, shared by those who ask together.
 */
export class Freshness {
  readonly #database: Database
  /** The position up to which the log is read. */
  #seen = 0
  /** The position of the last change of each part. */
  readonly #changed = new Map<Part, number>()
  /** The position of the last change of everything. */
  #everything = 0
  #reading: Promise<void> | undefined
  /** What those who ask together share: the look at the position, and what has come of it. */
  #asked: Promise<number> | undefined
  #looking: Promise<number> | undefined

  constructor(database: Database) {
    this.#database = database
  }

  /** Reads the log up to a moment after this call. @returns the position that it had then */
  look(): Promise<number> {
    const asked = this.#database.position()
    if (!this.#looking || asked !== this.#asked) this.#looking = this.#readUpTo(asked)
    this.#asked = asked
    return this.#looking
  }

  /** Whether nothing that it shows has changed since, as far as the log is read; if so, its position is moved there. */
  isFresh(made: Made): boolean {
    const { parts, position } = made
    if (position >= this.#seen) return true
    if (position < this.#everything) return false
    for (const part of parts) if ((this.#changed.get(part) ?? 0) > position) return false
    made.position = this.#seen
    return true
  }

  async #readUpTo(asked: Promise<number>): Promise<number> {
    const position = await asked
    while (this.#seen < position) {
      this.#reading ??= this.#readLog(position).finally(() => {
        this.#reading = undefined
      })
      await this.#reading
    }
    return position
  }

  async #readLog(position: number): Promise<void> {
    const changes = await changesAfter(this.#database.read, this.#seen, mostChanges)
    const reached = Math.max(position, changes.at(-1)?.id ?? 0)
    for (const change of changes) {
      const touched = touchedBy(change)
      if (touched === 'everything') this.#everything = change.id
      else for (const part of touched) this.#changed.set(part, change.id)
    }
    if (changes.length === mostChanges || this.#changed.size > mostParts) {
      this.#changed.clear()
      this.#everything = reached
    }
    this.#seen = reached
  }
}
