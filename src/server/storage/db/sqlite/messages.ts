import { commandName } from '../../../core/command-name.ts'
import { hasCode } from '../../../core/errors.ts'

/**
 * Messages for those of SQLite's result codes that the operator can act upon when opening fails
 * (https://www.sqlite.org/rescode.html).
 */
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
  if (isUnreadableNumber(error)) return unreadableNumber
  if (!(error instanceof Error && 'errcode' in error)) return undefined
  // The low byte of an extended code is the primary one.
  return messages[Number(error.errcode) & 0xff]
}
