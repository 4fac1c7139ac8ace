import type { Inspection } from './inspection.ts'
import { inspectSqlite } from './sqlite/inspection.ts'
import type { DatabaseTarget } from './target.ts'

/** Opens a database that is there. Nothing is made, migrated or written. @throws CannotOpen when there is no server */
export async function openInspection(place: DatabaseTarget): Promise<Inspection> {
  if (place.kind === 'folder') return inspectSqlite(place.dir)
  const { inspectPostgres } = await import('./postgres/inspection.ts')
  return inspectPostgres(place.url)
}
