import { prepared } from '../prepared.ts'
import type { Db } from '../tables.ts'

const newest = prepared((db) => db.selectFrom('change').select(({ fn }) => fn.max('id').as('id')))

/** The position of the newest committed change; 0 when there is none. */
export async function newestPosition(read: Db): Promise<number> {
  const [row] = await newest(read)
  return row?.id ?? 0
}
