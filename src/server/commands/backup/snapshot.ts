import { join } from 'node:path'
import type { Progress } from '../../core/progress.ts'
import { readHead } from '../../log/changes/log.ts'
import { summitFingerprint } from '../../log/ledger/summit-fingerprint.ts'
import { makeFolder } from '../../storage/data-dir/make-folder.ts'
import { openInspection } from '../../storage/db/inspect.ts'
import { hasHashes, readKnownMigrations } from '../../storage/db/migrate.ts'
import { createEmptyCopy, openSnapshot } from '../../storage/db/snapshot.ts'
import type { LogHead } from '../../storage/db/tables.ts'
import type { DatabaseTarget } from '../../storage/db/target.ts'
import { moveTables } from '../move/move.ts'
import { digestTables, findMovedTables, type TableDigests } from '../move/tables.ts'

/** A copy of one state of a database, as a file in a folder of its own, like a summit's. */
export interface Snapshot {
  /** The folder, which has the file `summit.db`. */
  dir: string
  migrations: string[]
  tables: TableDigests
  /** See `summitFingerprint`. */
  summit: string
  /** The newest row of the change log; undefined if the schema has no hashes. */
  head: LogHead | undefined
}

/**
 * Copies one state of a database, of any schema version, while servers may be writing to it.
 * @param dir a folder that does not exist yet
 * @throws CannotOpen when the database is damaged, the disk is full or the connection is lost; the error of connecting;
 *   MoveFailed when the copy differs
 */
export async function takeSnapshot(target: DatabaseTarget, dir: string, progress: Progress): Promise<Snapshot> {
  await makeFolder(dir)
  await using opened = new AsyncDisposableStack()
  const source = opened.adopt(await openSnapshot(target), (snapshot) => snapshot.close())
  if (source.copyFile) {
    const file = join(dir, 'summit.db')
    await progress('Copying the database', 1, async (onProgress) => {
      onProgress(0)
      await source.copyFile?.(file)
      onProgress()
    })
  } else {
    const copy = opened.adopt(await createEmptyCopy(dir, await readKnownMigrations(source.read)), (database) =>
      database.close(),
    )
    await moveTables(source, copy, progress)
  }
  return inspectSnapshot(dir, progress)
}

/** Reads a snapshot completely. @throws NewerSchema */
export async function inspectSnapshot(dir: string, progress: Progress): Promise<Snapshot> {
  const inspection = await openInspection({ kind: 'folder', dir })
  try {
    const { read } = inspection
    const migrations = await readKnownMigrations(read)
    const tables = await digestTables(read, await findMovedTables(read), progress)
    const head = hasHashes(migrations) ? await readHead(read) : undefined
    return { dir, migrations, tables, summit: await summitFingerprint(read), head }
  } finally {
    await inspection.close()
  }
}

/** Runs the engine's integrity check. @returns a clause about the first problem; undefined if there is none */
export async function findDamage(dir: string): Promise<string | undefined> {
  const inspection = await openInspection({ kind: 'folder', dir })
  try {
    for await (const problem of inspection.findDamage()) return problem
    return undefined
  } finally {
    await inspection.close()
  }
}
