import type { DatabaseSync } from 'node:sqlite'
import { isSyncError } from './errors.ts'

/**
 * Moves the log to the database file, up to the first page that a reader still needs as it was. SQLite's automatic
 * checkpoint is disabled, because it does not report a failed sync, and discards the log after the next successful one.
 * @returns the number of pages that a reader retains in the log
 */
export function checkpointLog(connection: DatabaseSync): number {
  const { log, checkpointed } = connection.prepare('pragma wal_checkpoint(passive)').get() ?? {}
  return Number(log) - Number(checkpointed)
}

/**
 * Moves the whole log that an earlier process left to the database file, and empties it. After a failed sync, parts of
 * the log may be only in the page cache, marked as clean; this writes them to disk before anything builds on them. Any
 * other error, such as a full disk, is harmless: the log is intact, and the next checkpoint retries.
 * @throws only when a sync failed
 */
export function checkpointWholeLog(connection: DatabaseSync): void {
  try {
    connection.exec('pragma wal_checkpoint(truncate)')
  } catch (error) {
    if (isSyncError(error)) throw error
  }
}
