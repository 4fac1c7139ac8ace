import { LRUCache } from 'lru-cache'
import type { Dependency } from '../../operation.ts'
import type { Scope } from '../../scope.ts'
import type { Database, Position } from '../../storage/db/open.ts'
import type { Freshness, Versioned } from './freshness.ts'

/** What has been read of a part of the data, as it was at a position of the log. */
export interface Current<T> extends Versioned {
  readonly value: T
}

export interface CurrentOptions {
  database: Database
  freshness: Freshness
  /** What the value is read from. */
  dependencies: readonly Dependency[]
  /** Whether the last value stays in memory. */
  isStored: boolean
  /** How many values with different keys stay, each of which was read last; by default, one. */
  keys?: number
}

/**
 * Creates a reader of something that takes long to read: it stays in memory until what it is read from changes,
 * whichever process changed it, and requests share it while it is read. Its `position` is of the log, read after the
 * request arrived; its `key` tells values apart that differ for other reasons.
 */
export function createCurrentReader<T>(
  { database, freshness, dependencies, isStored, keys = 1 }: CurrentOptions,
  read: (scope: Scope) => Promise<T>,
): (scope: Scope, position: Position, key?: string) => Promise<Current<T>> {
  const stored = new LRUCache<string, Current<T>>({ max: keys })
  let pending: (Versioned & { key: string; current: Promise<Current<T>> }) | undefined

  /** Without a snapshot, which costs more, unless the data changes meanwhile. */
  const readConsistent = async (scope: Scope, position: Position): Promise<Current<T>> => {
    const current = { dependencies, position, value: await read(scope) }
    const later = await freshness.refresh()
    if (freshness.isFresh(current)) return current
    return { ...current, position: later, value: await database.snapshot((db) => read({ ...scope, db })) }
  }

  return async (scope, position, key = '') => {
    if (!isStored) return readConsistent(scope, position)
    const known = stored.get(key)
    if (known && freshness.isFresh(known)) return known
    if (pending?.key === key && freshness.isFresh(pending)) return pending.current
    const started = { dependencies, position, key, current: readConsistent(scope, position) }
    pending = started
    try {
      const current = await started.current
      stored.set(key, current)
      return current
    } finally {
      if (pending === started) pending = undefined
    }
  }
}
