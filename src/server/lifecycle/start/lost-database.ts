import { readdir } from 'node:fs/promises'
import type { Config } from '../../config/config.ts'
import { commandName } from '../../core/command-name.ts'
import { hasCode } from '../../core/errors.ts'
import { blobsDir } from '../../storage/data-dir/data-dir.ts'
import { CannotOpen } from '../../storage/db/cannot-open.ts'
import { describeDatabase, isInitialized } from '../../storage/db/initialized.ts'
import { hasKeyFile } from './keys.ts'

/**
 * Prevents a new summit from being created over the remains of another whose database is missing, because a backup was
 * only partly restored or `DATABASE_URL` is wrong or not set. The new summit would lack the files and the signing key,
 * and clients would take it for the old one.
 * @throws CannotOpen, whose message states the finding and the remedy; nothing is written
 */
export async function assertDatabasePresent(config: Config): Promise<void> {
  // Checked before the database: a concurrent first start creates the database before any of these.
  const remains = await findRemains(config)
  if (remains.length === 0 || (await isInitialized(config.database))) return
  const folder = describeDatabase({ kind: 'folder', dir: config.dataDir })
  throw new CannotOpen(
    config.database.kind === 'folder'
      ? `${folder} has the ${list(remains)} of a summit, but summit.db is missing or empty. Restore summit.db, or set ` +
          'DATABASE_URL if the database is on a server. To create a new summit, set another DATA_DIR or move the contents of this one elsewhere.'
      : `${folder} has the ${list(remains)} of a summit, but there is no summit in ${describeDatabase(config.database)}. Restore ` +
          `the database, or correct or unset DATABASE_URL. To move a summit to that database, see ${commandName} move ` +
          '--help. To create a new summit, set another DATA_DIR or move the contents of this one elsewhere.',
  )
}

const list = (names: string[]): string => new Intl.ListFormat('en', { type: 'conjunction' }).format(names)

/** Names of entries in the folder that only a summit creates, other than its configured database. */
async function findRemains(config: Config): Promise<string[]> {
  const { dataDir, database } = config
  const names = await namesIn(dataDir)
  const exists = {
    'summit.db': database.kind !== 'folder' && (await isInitialized({ kind: 'folder', dir: dataDir })),
    'signature.key': names.includes('signature.key') && (await hasKeyFile(dataDir)),
    'blobs/': (await namesIn(blobsDir(config))).some((name) => createdAtStart.includes(name)),
  }
  return Object.entries(exists).flatMap(([name, isPresent]) => (isPresent ? [name] : []))
}

/** Folders in `blobs/`; a mount point may also contain folders of the file system, such as `lost+found`. */
const createdAtStart = ['kept', 'staging', 'unnamed']

async function namesIn(dir: string): Promise<string[]> {
  return readdir(dir).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return []
    throw error
  })
}
