import type { Position } from '../open.ts'
import { only } from '../prepared.ts'
import type { Connection } from './connections.ts'

/** The position of the newest committed change. */
export async function newestPosition(connection: Connection): Promise<Position> {
  const { rows } = await connection.query('select max(id) as id from change', [])
  return { history: connection.history, id: only(rows).id ?? 0 }
}
