import type { DatabaseSync } from 'node:sqlite'
import { isSyncError } from './errors.ts'

/**
 * The number of pages in the log from which it is checkpointed, while all writes wait. SQLite's default of a thousand
 * pages takes 4 to 6 ms; then the p99 of writes is four times their p50 (decision 15).
 */
const minPages = 250

/**
 * Moves a long log to the database file. SQLite's automatic checkpoint is disabled, because it does not report a failed
 * sync, and discards the log after the next successful one.
 * @param onError called for any other error, which is harmless here
 * @throws only when a sync failed
 */
export function checkpointLongLog(connection: DatabaseSync, onError: (error: unknown) => void): void {
  ignoreAllButSyncErrors(() => {
    // `noop` only counts the pages; before SQLite 3.51 it means `passive`, which also works but takes longer.
    const pages = Number(connection.prepare('pragma wal_checkpoint(noop)').get()?.log)
    if (pages >= minPages) connection.exec('pragma wal_checkpoint(passive)')
  }, onError)
}

/**
 * Moves the whole log that an earlier process left to the database file, and empties it. After a failed sync, parts of
 * the log may be only in the page cache, marked as clean; this writes them to disk before anything builds on them.
 * @throws only when a sync failed
 */
export function checkpointWholeLog(connection: DatabaseSync): void {
  ignoreAllButSyncErrors(() => connection.exec('pragma wal_checkpoint(truncate)'))
}

/**
 * Any error other than a failed sync, such as a full disk, is harmless: the log is intact, and the next checkpoint
 * retries.
 */
function ignoreAllButSyncErrors(checkpoint: () => void, onError: (error: unknown) => void = () => {}): void {
  try {
    checkpoint()
  } catch (error) {
    if (isSyncError(error)) throw error
    onError(error)
  }
}
