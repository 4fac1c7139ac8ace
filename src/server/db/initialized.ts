import { resolve } from 'node:path'
import type { Database } from './open.ts'
import { hasFile } from './sqlite/open.ts'
import type { Db } from './tables.ts'
import { type DatabaseTarget, databaseAt } from './target.ts'

/** Whether a summit has begun at a place, without making anything there. @throws CannotOpen when nobody can tell */
export async function isInitialized(place: DatabaseTarget): Promise<boolean> {
  if (place.kind === 'folder') return hasFile(place.dir)
  const { hasSummit } = await import('./postgres/open.ts')
  return hasSummit(place.url)
}

/**
 * Says in a database on a server that a summit begins there, before anything of it is made elsewhere; a file in a folder
 * says so by itself.
 */
export async function markInitialized(place: DatabaseTarget, { read, transaction }: Database): Promise<void> {
  if (place.kind === 'folder') return
  const find = (db: Db) => db.selectFrom('secret').select('name').limit(1).executeTakeFirst()
  if (await find(read)) return
  await transaction(async (tx) => {
    if (!(await find(tx))) await tx.insertInto('secret').values({ name: 'begun', value: '' }).execute()
  })
}

/**
 * The place for a sentence, without its password. A folder by its whole path: `npm run` may have changed to another
 * one.
 */
export function nameOf(place: DatabaseTarget): string {
  return place.kind === 'folder' ? `${resolve(place.dir)} (DATA_DIR)` : `the database ${databaseAt(place.url)}`
}
