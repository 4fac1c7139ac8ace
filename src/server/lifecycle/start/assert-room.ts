import { statfs } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Config } from '../../config/config.ts'
import { OperatorError } from '../../core/errors.ts'
import { readDatabaseState } from '../../storage/db/database-state.ts'

/** The free space for a copy of a database: it is at most as large, and the server writes meanwhile. */
export const bytesForCopy = (databaseBytes: number): number => databaseBytes * 1.1

/**
 * Checks that the disk of `DATA_DIR` has room for a copy of the database: one that fills the disk would stop writes.
 * @throws OperatorError
 */
export async function assertRoomForCopy({ database, dataDir }: Config): Promise<void> {
  const { bytes } = await readDatabaseState(database)
  const { bavail, bsize } = await statfs(dataDir)
  const free = bavail * bsize
  const needed = bytesForCopy(bytes)
  if (free < needed)
    throw new OperatorError(
      `A backup needs ${format(needed)} free on the disk of ${resolve(dataDir)} for a copy of the database; it has ` +
        `${format(free)}. Make space there.`,
    )
}

const format = (bytes: number): string => `${Math.ceil(bytes / 1e6)} MB`
