import { createHash } from 'node:crypto'
import { type Db, emptyLog } from '../../storage/db/tables.ts'

/**
 * Identifies a summit by its first change, which stays the same after a move or a restore; empty if the summit has no
 * change. Rows with ids that no server gives do not count, or a forged one would make it another summit.
 */
export async function summitFingerprint(db: Db): Promise<string> {
  const columns = ['at', 'kind', 'record_id', 'request_id'] as const
  const first = await db
    .selectFrom('change')
    .select(columns)
    .where('id', '>', emptyLog.id)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (!first) return ''
  const text = JSON.stringify(columns.map((column) => first[column]))
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
