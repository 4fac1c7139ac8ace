import { accessSync, constants } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { hasCode } from '../../../core/errors.ts'

/**
 * Opens a connection to the database file.
 * - WAL lets readers continue while one process writes; `synchronous=FULL` syncs the log at every commit, so that
 *   acknowledged writes survive a power cut (https://www.sqlite.org/pragma.html#pragma_synchronous).
 * - Deleted values are overwritten with zeros (https://www.sqlite.org/pragma.html#pragma_secure_delete).
 * - Automatic checkpoints are off, see `checkpoint.ts`.
 * - No busy timeout: SQLite would block our only thread. Callers that wait for another process use `await`.
 */
export function connect(file: string, mode: 'read' | 'write'): DatabaseSync {
  const connection = new DatabaseSync(file, { readOnly: mode === 'read', enableForeignKeyConstraints: true })
  if (mode === 'write')
    connection.exec(
      'pragma journal_mode = wal; pragma synchronous = full; pragma wal_autocheckpoint = 0; pragma secure_delete = on',
    )
  connection.exec('pragma cache_size = -32000; pragma temp_store = memory')
  return connection
}

/**
 * Asserts that we may read and write a file, if it exists: SQLite reports only that it cannot be opened.
 * @throws the system's error
 */
export function assertAccessible(file: string): void {
  try {
    accessSync(file, constants.R_OK | constants.W_OK)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
  }
}
