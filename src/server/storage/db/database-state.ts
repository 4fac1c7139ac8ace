import { databaseBytes } from './sqlite/open.ts'
import type { DatabaseTarget } from './target.ts'

/** The state of a database, as far as it can be told without reading rows. */
export interface DatabaseState {
  /** The size of the database. */
  bytes: number
  /** Undefined for a database in a folder. */
  server?: ServerState
}

export interface ServerState {
  /** Such as `PostgreSQL 18.4`. */
  version: string
  /** By how much its clock is ahead of ours, in milliseconds. */
  clockOffsetMs: number
  /** A sentence for each setting with which it may lose data, with the remedy. */
  unsafeSettings: string[]
}

/** @throws CannotOpen when the server is not supported, or the error of connecting */
export async function readDatabaseState(target: DatabaseTarget): Promise<DatabaseState> {
  if (target.kind === 'folder') return { bytes: await databaseBytes(target.dir) }
  const { readPostgresState } = await import('./postgres/state.ts')
  return readPostgresState(target.url)
}
