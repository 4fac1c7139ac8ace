import type { Position } from '../open.ts'
import { singleRow } from '../prepared.ts'
import type { Connection } from './connections.ts'

/** The position of the newest committed change. */
export async function readPosition(connection: Connection): Promise<Position> {
  const { rows } = await connection.query('select max(id) as id from change', [])
  return { epoch: connection.epoch, id: singleRow(rows).id ?? 0 }
}
