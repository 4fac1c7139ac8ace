import { CannotOpen } from '../db/cannot-open.ts'
import type { Database } from '../db/open.ts'
import type { Db } from '../db/tables.ts'

/** Marks a database that is the target of an unfinished move. */
const name = 'unfinished_move'

const isUnfinished = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('secret').select('name').where('name', '=', name).executeTakeFirst()) !== undefined

/** Rejects a partly moved summit. @throws CannotOpen */
export async function assertNoUnfinishedMove({ read }: Pick<Database, 'read'>): Promise<void> {
  if (await isUnfinished(read))
    throw new CannotOpen('A move to this summit has not finished. Run the same move again to resume it.')
}

/** @throws CannotOpen if the target has a summit that does not come from an unfinished move */
export const beginMove = (to: Database): Promise<void> =>
  to.transaction(async (tx) => {
    if (await isUnfinished(tx)) return
    if (await tx.selectFrom('change').select('id').limit(1).executeTakeFirst())
      throw new CannotOpen('The target of the move already has a summit. Specify a new folder or an empty database.')
    await tx.insertInto('secret').values({ name, value: '' }).execute()
  })

/**
 * Whether an earlier move has finished: the newest change of `from` is in the log of `to`, which may have newer changes,
 * and `to` has no unfinished move.
 */
export async function hasMoved(from: Database, to: Database): Promise<boolean> {
  const newest = await from.read.selectFrom('change').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst()
  if (!newest || (await isUnfinished(to.read))) return false
  const same = to.read
    .selectFrom('change')
    .select('id')
    .where((eb) => eb.and(newest))
  return (await same.executeTakeFirst()) !== undefined
}

export const endMove = (to: Database): Promise<void> =>
  to.transaction(async (tx) => void (await tx.deleteFrom('secret').where('name', '=', name).execute()))
