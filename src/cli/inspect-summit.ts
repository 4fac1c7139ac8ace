import type { Config } from '../server/config/config.ts'
import { inDataDir, makeDataDir } from '../server/storage/data-dir/data-dir.ts'
import { isInitialized } from '../server/storage/db/initialized.ts'
import { openInspection } from '../server/storage/db/inspect.ts'
import type { Db } from '../server/storage/db/tables.ts'

/**
 * Reads from the configured summit, without creating or changing anything.
 * @returns undefined if there is no summit yet
 */
export async function inspectSummit<T>(
  { database, dataDir }: Config,
  read: (db: Db) => Promise<T>,
): Promise<T | undefined> {
  return inDataDir(dataDir, async () => {
    if (!(await isInitialized(database))) return undefined
    // The folder exists; this call refuses root, whose files the folder's owner could not use.
    if (database.kind === 'folder') await makeDataDir(dataDir)
    const inspection = await openInspection(database)
    return await read(inspection.read).finally(() => inspection.close())
  })
}
