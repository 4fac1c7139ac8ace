import { CannotOpen } from '../db/cannot-open.ts'
import type { Database } from '../db/open.ts'
import type { Db } from '../db/tables.ts'

/** The row that a summit has while another is moved into it. */
const name = 'unfinished_move'

const isUnfinished = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('secret').select('name').where('name', '=', name).executeTakeFirst()) !== undefined

/** Nobody may work with half a summit. @throws CannotOpen */
export async function assertNoUnfinishedMove({ read }: Pick<Database, 'read'>): Promise<void> {
  if (await isUnfinished(read))
    throw new CannotOpen('A move to this summit has not finished. Run the same move again; it goes on where it was.')
}

/** @throws CannotOpen when it holds a summit that did not come from an earlier move */
export const beginMove = (to: Database): Promise<void> =>
  to.transaction(async (tx) => {
    if (await isUnfinished(tx)) return
    if (await tx.selectFrom('change').select('id').limit(1).executeTakeFirst())
      throw new CannotOpen(
        'There is a summit already where this one is to move. Name a new folder or an empty database.',
      )
    await tx.insertInto('secret').values({ name, value: '' }).execute()
  })

/**
 * Whether a move has finished before: the newest change of `from` is in the log of `to`, which has gone on since or not,
 * and no move to it is unfinished.
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
