import type { Inspection } from './inspection.ts'
import { inspectPostgres } from './postgres/inspection.ts'
import { inspectSqlite } from './sqlite/inspection.ts'
import type { DatabaseTarget } from './target.ts'

/** Opens a database that is there. Nothing is made, migrated or written. @throws CannotOpen when there is no server */
export const openInspection = (place: DatabaseTarget): Promise<Inspection> =>
  place.kind === 'folder' ? inspectSqlite(place.dir) : inspectPostgres(place.url)
