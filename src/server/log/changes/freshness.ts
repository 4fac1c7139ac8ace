import type { Dependency } from '../../operation.ts'
import type { Database, Position } from '../../storage/db/open.ts'
import { dependenciesChangedBy } from './dependencies.ts'
import { changesAfter } from './read-log.ts'

/** Changes read in one query; if more have been logged since the last refresh, everything counts as changed. */
const maxChanges = 10_000

/** Dependencies whose last change is tracked individually. */
const maxDependencies = 100_000

/** A value read from the database, with the state that it reflects. */
export interface Versioned {
  readonly dependencies: readonly Dependency[]
  /** No dependency has changed between the state that was read and this position in the log. */
  position: Position
}

/**
 * Tells from the change log alone whether a value is still current, whichever process wrote the change. Each check
 * costs one read of the log's position, which concurrent requests share.
 */
export class Freshness {
  readonly #database: Database
  /** The position up to which the log has been read. It has no epoch yet, so the first refresh resets it. */
  #seen: Position = { epoch: '', id: 0 }
  /** The id of the last change of each dependency. */
  readonly #changed = new Map<Dependency, number>()
  /** The id of the last change that affected everything. */
  #everything = 0
  #reading: Promise<void> | undefined
  /** Shared by concurrent requests: the read of the position, and the refresh that follows it. */
  #positionRead: Promise<Position> | undefined
  #refreshing: Promise<Position> | undefined

  constructor(database: Database) {
    this.#database = database
  }

  /** Reads the log up to a moment after this call. @returns the position at that moment */
  refresh(): Promise<Position> {
    const positionRead = this.#database.position()
    if (!this.#refreshing || positionRead !== this.#positionRead) this.#refreshing = this.#readUpTo(positionRead)
    this.#positionRead = positionRead
    return this.#refreshing
  }

  /**
   * Whether no dependency has changed since, as far as the log has been read; if so, advances the position to there.
   */
  isFresh(version: Versioned): boolean {
    const { dependencies, position } = version
    if (position === this.#seen) return true
    if (position.epoch !== this.#seen.epoch || position.id < this.#everything) return false
    if (position.id < this.#seen.id)
      for (const dependency of dependencies) if ((this.#changed.get(dependency) ?? 0) > position.id) return false
    version.position = this.#seen
    return true
  }

  async #readUpTo(positionRead: Promise<Position>): Promise<Position> {
    const position = await positionRead
    if (position.epoch !== this.#seen.epoch) this.#reset(position)
    while (isBefore(this.#seen, position)) {
      this.#reading ??= this.#readLog(position).finally(() => {
        this.#reading = undefined
      })
      await this.#reading
    }
    return position
  }

  /** A value from another epoch may show data that this one never had, or lack data that it has. */
  #reset(position: Position): void {
    this.#changed.clear()
    this.#everything = position.id
    this.#seen = position
  }

  async #readLog({ epoch, id }: Position): Promise<void> {
    const before = this.#seen
    const changes = await changesAfter(this.#database.read, before.id, maxChanges)
    // Reset meanwhile: the changes may be of either epoch.
    if (this.#seen !== before) return
    const reached = Math.max(id, changes.at(-1)?.id ?? 0)
    for (const change of changes) {
      const changed = dependenciesChangedBy(change)
      if (changed === 'everything') this.#everything = change.id
      else for (const dependency of changed) this.#changed.set(dependency, change.id)
    }
    if (changes.length === maxChanges || this.#changed.size > maxDependencies) {
      this.#changed.clear()
      this.#everything = reached
    }
    this.#seen = { epoch, id: reached }
  }
}

const isBefore = (one: Position, other: Position): boolean => one.epoch === other.epoch && one.id < other.id
