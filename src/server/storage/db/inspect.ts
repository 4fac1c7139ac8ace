import type { Inspection } from './inspection.ts'
import { inspectSqlite } from './sqlite/inspection.ts'
import type { DatabaseTarget } from './target.ts'

/**
 * Opens an existing database. Creates, migrates and writes nothing. The first query connects to a server, and fails if
 * there is none.
 */
export async function openInspection(target: DatabaseTarget): Promise<Inspection> {
  if (target.kind === 'folder') return inspectSqlite(target.dir)
  const { inspectPostgres } = await import('./postgres/inspection.ts')
  return inspectPostgres(target.url)
}
