import { resolve } from 'node:path'
import type { Database } from './open.ts'
import { hasDatabaseFile } from './sqlite/open.ts'
import type { Db } from './tables.ts'
import { type DatabaseTarget, describeDatabaseUrl } from './target.ts'

/** Whether a target holds a summit. Creates nothing there. @throws CannotOpen when it cannot be determined */
export async function isInitialized(target: DatabaseTarget): Promise<boolean> {
  if (target.kind === 'folder') return hasDatabaseFile(target.dir)
  const { hasSummit } = await import('./postgres/open.ts')
  return hasSummit(target.url)
}

/**
 * Marks a database on a server as holding a summit, before anything of the summit is created elsewhere. In a folder the
 * existence of the file is the mark.
 */
export async function markInitialized(target: DatabaseTarget, { read, transaction }: Database): Promise<void> {
  if (target.kind === 'folder') return
  const find = (db: Db) => db.selectFrom('secret').select('name').limit(1).executeTakeFirst()
  if (await find(read)) return
  await transaction(async (tx) => {
    if (!(await find(tx))) await tx.insertInto('secret').values({ name: 'begun', value: '' }).execute()
  })
}

/**
 * The target for a message, without its password. A folder is given by its absolute path, because `npm run` may have
 * changed the working directory.
 */
export function describeDatabase(target: DatabaseTarget): string {
  return target.kind === 'folder'
    ? `${resolve(target.dir)} (DATA_DIR)`
    : `the database ${describeDatabaseUrl(target.url)}`
}
