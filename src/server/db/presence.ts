import { resolve } from 'node:path'
import { type DatabasePlace, databaseAt } from './place.ts'
import { hasTables } from './postgres/open.ts'
import { hasFile } from './sqlite/open.ts'

/** Whether a summit has begun at a place, without making anything there. @throws CannotOpen when nobody can tell */
export const isSummitAt = async (place: DatabasePlace): Promise<boolean> =>
  place.kind === 'folder' ? hasFile(place.dir) : hasTables(place.url)

/**
 * The place for a sentence, without its password. A folder by its whole path: `npm run` may have changed to another
 * one.
 */
export function nameOf(place: DatabasePlace): string {
  return place.kind === 'folder' ? `${resolve(place.dir)} (DATA_DIR)` : `the database ${databaseAt(place.url)}`
}
