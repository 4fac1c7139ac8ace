import type { FailureReason } from '../../../../contract/failures.ts'
import { commandName } from '../../../core/command-name.ts'
import { hasCode } from '../../../core/errors.ts'

/** SQLite's result codes: https://www.sqlite.org/rescode.html (the low byte of an extended code is the primary one). */
const codes = { busy: 5, readOnly: 8, ioError: 10, corrupt: 11, full: 13, notADatabase: 26 } as const

/** SQLite's extended codes of a failed sync: the kernel may have dropped the pages that it could not write. */
const syncErrors = new Set([10 | (4 << 8), 10 | (5 << 8)])

/** The extended result code of an error of `node:sqlite`; undefined for any other error. */
function sqliteCode(error: unknown): number | undefined {
  const isSqlite = error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
  return isSqlite ? Number(error.errcode) : undefined
}

const primaryCode = (error: unknown): number => (sqliteCode(error) ?? 0) & 0xff

/** Whether another process holds the lock. */
export const isBusy = (error: unknown): boolean => primaryCode(error) === codes.busy

/** Whether a file is not, or no longer, a database. */
export const isDamaged = (error: unknown): boolean =>
  primaryCode(error) === codes.corrupt || primaryCode(error) === codes.notADatabase

/** Whether a sync failed: later commits might be acknowledged without being durable, so the process must end. */
export const isSyncError = (error: unknown): boolean => syncErrors.has(sqliteCode(error) ?? 0)

/** The failure that an error of SQLite amounts to; undefined for any other error. */
export function sqliteFailureReason(error: unknown): FailureReason | undefined {
  switch (primaryCode(error)) {
    case codes.full:
      return 'STORAGE_FULL'
    case codes.readOnly:
      return 'STORAGE_READ_ONLY'
    case codes.busy:
    case codes.ioError:
      return 'UNAVAILABLE'
    default:
      return undefined
  }
}

/** Messages for the primary codes that the operator can act upon when opening fails. */
const messages: Record<number, string> = {
  3: 'Permission denied for the database in DATA_DIR. Make sure that the folder and its files belong to the user that runs Summit.',
  5: 'Another process is writing to the database in DATA_DIR. Try again.',
  8: 'The database in DATA_DIR is read-only. Make the folder, its files and their file system writable.',
  10: 'The disk failed to read or write the database in DATA_DIR. Check the disk and the log of the kernel.',
  11: `The database in DATA_DIR is damaged. To list the damage: ${commandName} check. Then restore a backup.`,
  13: 'The disk of DATA_DIR is full. Free some space, and try again.',
  14: 'Cannot open the database in DATA_DIR. Make sure that the folder belongs to the user that runs Summit, with all files.',
  26: 'summit.db in DATA_DIR is not a database. Restore a backup.',
}

const unreadableNumber =
  'Inserted or altered: a row of the database has a number that no server writes. To see whether it is a change of the log: ' +
  `${commandName} audit verify`

/** Whether a row has an integer that JavaScript does not have. */
const isUnreadableNumber = (error: unknown): boolean =>
  hasCode(error, 'ERR_OUT_OF_RANGE') &&
  String(error).includes('Value is too large to be represented as a JavaScript number')

/** One line for the operator about an error of the engine; undefined for a bug of ours. */
export function describeSqliteError(error: unknown): string | undefined {
  return isUnreadableNumber(error) ? unreadableNumber : messages[primaryCode(error)]
}
