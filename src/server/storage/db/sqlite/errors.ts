import type { FailureReason } from '../../../../contract/failures.ts'

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
