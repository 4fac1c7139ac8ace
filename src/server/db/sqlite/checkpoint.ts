import type { DatabaseSync } from 'node:sqlite'
import { isSyncError } from './errors.ts'

/**
 * Pages in the log from which on they are moved to the database file, for which all writes wait. SQLite by itself would
 * move a thousand, which takes 4 to 6 ms; then the p99 of writes is four times their p50 (decision 15).
 */
const longLogPages = 250

/**
 * Moves a log that has become long to the database file. SQLite's own checkpoint is switched off, because it keeps
 * quiet about a sync that failed and forgets the log after the next one that does not.
 * @param onError called for any other error, which does no harm by itself
 * @throws only when a sync failed
 */
export function checkpointLongLog(connection: DatabaseSync, onError: (error: unknown) => void): void {
  unlessSyncFails(() => {
    // `noop` only counts; before SQLite 3.51 it is taken for `passive`, which is as good and takes longer.
    const pages = Number(connection.prepare('pragma wal_checkpoint(noop)').get()?.log)
    if (pages >= longLogPages) connection.exec('pragma wal_checkpoint(passive)')
  }, onError)
}

/**
 * Moves all of the log that an earlier process left, and empties it. After a sync that failed, parts of it may be in
 * memory only without the kernel knowing; written anew they are on disk before anything is built on them.
 * @throws only when a sync failed
 */
export function checkpointWholeLog(connection: DatabaseSync): void {
  unlessSyncFails(() => connection.exec('pragma wal_checkpoint(truncate)'))
}

/** Whatever else stands in the way, a full disk for one: all is in the log, and the next checkpoint will do. */
function unlessSyncFails(checkpoint: () => void, onError: (error: unknown) => void = () => {}): void {
  try {
    checkpoint()
  } catch (error) {
    if (isSyncError(error)) throw error
    onError(error)
  }
}
