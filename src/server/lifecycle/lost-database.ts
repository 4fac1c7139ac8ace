import { readdir } from 'node:fs/promises'
import type { Config } from '../config.ts'
import { blobsDir } from '../context.ts'
import { hasCode } from '../core/error-code.ts'
import { CannotOpen } from '../db/cannot-open.ts'
import { describeDatabase, isInitialized } from '../db/initialized.ts'
import { hasStoredKey } from './signing-key.ts'

/**
 * Where a summit has been, none begins because its database is not there: a backup is half restored, or `DATABASE_URL`
 * is forgotten or wrong. The new one would have another key and none of the files, and clients would take it for the
 * old.
 * @throws CannotOpen with what was found and what to do; nothing is written
 */
export async function assertDatabasePresent(config: Config): Promise<void> {
  // Before the look for the database: of programs that start together, one that finds these finds the database as well.
  const found = await remainsIn(config)
  if (found.length === 0 || (await isInitialized(config.database))) return
  const folder = describeDatabase({ kind: 'folder', dir: config.dataDir })
  throw new CannotOpen(
    config.database.kind === 'folder'
      ? `${folder} holds ${list(found)} of a summit, but no summit.db, or an empty one. Restore summit.db, or set ` +
          'DATABASE_URL if the database is on a server; to begin a new summit set another DATA_DIR, or move what is in this one away.'
      : `${folder} holds ${list(found)} of a summit, but there is none in ${describeDatabase(config.database)}. Restore that, ` +
          'or set the right DATABASE_URL, or none; to take a summit there see npm run summit -- move --help; to begin a ' +
          'new one set another DATA_DIR, or move what is in this one away.',
  )
}

const list = (names: string[]): string => new Intl.ListFormat('en', { type: 'conjunction' }).format(names)

/** What a summit leaves in its folder besides the database that it is to have now. */
async function remainsIn(config: Config): Promise<string[]> {
  const { dataDir, database } = config
  const names = await namesIn(dataDir)
  const isThere = {
    'summit.db': database.kind !== 'folder' && (await isInitialized({ kind: 'folder', dir: dataDir })),
    'signature.key': names.includes('signature.key') && (await hasStoredKey(dataDir)),
    'blobs/': (await namesIn(blobsDir(config))).some((name) => madeAtStart.includes(name)),
  }
  return Object.entries(isThere).flatMap(([name, is]) => (is ? [name] : []))
}

/** In `blobs/`, which may have been mounted, with something of the file system's own in it. */
const madeAtStart = ['kept', 'staging', 'unnamed']

async function namesIn(dir: string): Promise<string[]> {
  return readdir(dir).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return []
    throw error
  })
}
