import type { Inspection } from './inspection.ts'
import { inspectPostgres } from './postgres/inspection.ts'
import { inspectSqlite } from './sqlite/inspection.ts'
import type { DatabaseTarget } from './target.ts'

/** Opens an existing database. Creates, migrates and writes nothing. @throws CannotOpen when there is no server */
export const openInspection = (target: DatabaseTarget): Promise<Inspection> =>
  target.kind === 'folder' ? inspectSqlite(target.dir) : inspectPostgres(target.url)
