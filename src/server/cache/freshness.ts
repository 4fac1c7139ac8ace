import { changesAfter } from '../changes/log.ts'
import type { Database, Position } from '../db/open.ts'
import { type Part, touchedBy } from './dependencies.ts'

/** Changes read at once; more than that since the last look count as a change of everything. */
const maxChanges = 10_000

/** Parts whose last change is remembered one by one. */
const maxParts = 100_000

/** Something made from the database, and as of when. */
export interface Versioned {
  readonly parts: readonly Part[]
  /** Up to here in the log it is right: none of its parts has changed after the state that it was made from. */
  position: Position
}

/**
 * Knows from the change log alone what has changed since something was made, whichever process wrote it. Costs one look
 * at the log's position, which requests that arrive together share.
 */
export class Freshness {
  readonly #database: Database
  /** The position up to which the log is read. None is of this epoch, so the first look begins another. */
  #seen: Position = { epoch: '', id: 0 }
  /** The id of the last change of each part. */
  readonly #changed = new Map<Part, number>()
  /** The id of the last change of everything. */
  #everything = 0
  #reading: Promise<void> | undefined
  /** What requests that arrive together share: the look at the position, and what came of it. */
  #asked: Promise<Position> | undefined
  #looking: Promise<Position> | undefined

  constructor(database: Database) {
    this.#database = database
  }

  /** Reads the log up to a moment after this call. @returns the position that it had then */
  refresh(): Promise<Position> {
    const asked = this.#database.position()
    if (!this.#looking || asked !== this.#asked) this.#looking = this.#readUpTo(asked)
    this.#asked = asked
    return this.#looking
  }

  /** Whether none of its parts has changed since, as far as the log is read; if so, its position is moved there. */
  isFresh(version: Versioned): boolean {
    const { parts, position } = version
    if (position === this.#seen) return true
    if (position.epoch !== this.#seen.epoch || position.id < this.#everything) return false
    if (position.id < this.#seen.id)
      for (const part of parts) if ((this.#changed.get(part) ?? 0) > position.id) return false
    version.position = this.#seen
    return true
  }

  async #readUpTo(asked: Promise<Position>): Promise<Position> {
    const position = await asked
    if (position.epoch !== this.#seen.epoch) this.#beginAnew(position)
    while (isBefore(this.#seen, position)) {
      this.#reading ??= this.#readLog(position).finally(() => {
        this.#reading = undefined
      })
      await this.#reading
    }
    return position
  }

  /** What was made from another epoch may show what never was in this one, or lack what is. */
  #beginAnew(position: Position): void {
    this.#changed.clear()
    this.#everything = position.id
    this.#seen = position
  }

  async #readLog({ epoch, id }: Position): Promise<void> {
    const before = this.#seen
    const changes = await changesAfter(this.#database.read, before.id, maxChanges)
    // Another epoch has begun, and they may be of either.
    if (this.#seen !== before) return
    const reached = Math.max(id, changes.at(-1)?.id ?? 0)
    for (const change of changes) {
      const touched = touchedBy(change)
      if (touched === 'everything') this.#everything = change.id
      else for (const part of touched) this.#changed.set(part, change.id)
    }
    if (changes.length === maxChanges || this.#changed.size > maxParts) {
      this.#changed.clear()
      this.#everything = reached
    }
    this.#seen = { epoch, id: reached }
  }
}

const isBefore = (one: Position, other: Position): boolean => one.epoch === other.epoch && one.id < other.id
