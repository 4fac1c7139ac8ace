import { readdir, rename, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { syncPath } from '../data-dir/sync-path.ts'
import { copyDatabaseFile } from './sqlite/snapshot.ts'

/** Copies that are not deleted: those before the last two migrations. */
const maxCopies = 2

/**
 * Copies the database of a folder beside it before it is migrated, complete: renamed to `summit.db`, the version that
 * wrote it can use the copy. Older copies are removed.
 * @param migration the first one that will run
 * @returns the path of the copy
 * @throws CannotOpen when the database is damaged or the disk is full
 */
export async function copyBeforeMigration(dir: string, migration: string): Promise<string> {
  const file = join(resolve(dir), `summit-before-${migration}.db`)
  const temporary = `${file}.new`
  try {
    await rm(temporary, { force: true })
    await copyDatabaseFile(dir, temporary)
    await syncPath(temporary)
    await rename(temporary, file)
  } finally {
    await rm(temporary, { force: true })
  }
  await syncPath(dir)
  await removeOldCopies(dir)
  return file
}

/** Removes all copies, which contain what the database has contained. */
export const removePreviousCopies = (dir: string): Promise<void> => removeOldCopies(dir, 0)

async function removeOldCopies(dir: string, remaining = maxCopies): Promise<void> {
  const names = (await readdir(dir)).filter((name) => /^summit-before-.*\.db$/.test(name))
  const copies = await Promise.all(
    names.map(async (name) => ({ path: join(dir, name), writtenAt: (await stat(join(dir, name))).mtimeMs })),
  )
  copies.sort((a, b) => b.writtenAt - a.writtenAt)
  for (const { path } of copies.slice(remaining)) await rm(path)
}
