/**
 * SQLite's result codes with which opening fails for a reason that an operator can mend
 * (https://www.sqlite.org/rescode.html).
 */
const sentences: Record<number, string> = {
  3: 'No permission for the database in DATA_DIR.',
  5: 'Another process is writing to the database in DATA_DIR. Try again.',
  8: 'The database in DATA_DIR cannot be written to.',
  10: 'The disk failed to read or write the database in DATA_DIR.',
  11: 'The database in DATA_DIR is damaged. Restore a backup.',
  13: 'The disk of DATA_DIR is full.',
  14: 'The database in DATA_DIR cannot be opened. See that the folder and all in it belong to the user that runs Summit.',
  26: 'summit.db in DATA_DIR is not a database. Restore a backup.',
}

/** One line about an error of the engine for the operator; undefined for one that is a bug of ours. */
export function sentenceOfSqlite(error: unknown): string | undefined {
  if (!(error instanceof Error && 'errcode' in error)) return undefined
  // The low byte of an extended code is the primary one.
  return sentences[Number(error.errcode) & 0xff]
}
