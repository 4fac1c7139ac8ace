import { CannotOpen } from '../db/cannot-open.ts'
import type { Database } from '../db/open.ts'

/** The row that a summit has while another is moved into it. */
const name = 'unfinished_move'

/** Nobody may work with half a summit. @throws CannotOpen */
export async function refuseUnfinishedMove({ read }: Database): Promise<void> {
  const row = await read.selectFrom('secret').select('name').where('name', '=', name).executeTakeFirst()
  if (row)
    throw new CannotOpen('A move to this summit has not finished. Run the same move again; it goes on where it was.')
}

/** @throws CannotOpen when it holds a summit that did not come from an earlier move */
export const beginMove = (to: Database): Promise<void> =>
  to.transaction(async (tx) => {
    const isUnfinished = await tx.selectFrom('secret').select('name').where('name', '=', name).executeTakeFirst()
    if (isUnfinished) return
    if (await tx.selectFrom('change').select('id').limit(1).executeTakeFirst())
      throw new CannotOpen(
        'There is a summit already where this one is to move. Name a new folder or an empty database.',
      )
    await tx.insertInto('secret').values({ name, value: '' }).execute()
  })

export const endMove = (to: Database): Promise<void> =>
  to.transaction(async (tx) => void (await tx.deleteFrom('secret').where('name', '=', name).execute()))
