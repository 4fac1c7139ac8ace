import { CannotOpen } from '../../storage/db/cannot-open.ts'
import type { Database } from '../../storage/db/open.ts'
import { deleteSecret, findSecret, replaceSecret } from '../../storage/db/stored-secret.ts'
import type { Db } from '../../storage/db/tables.ts'

/** Marks a database that is the target of an unfinished move or restore. */
const name = 'unfinished_move'

/** Whether a database is the target of an unfinished move or restore. */
export const hasUnfinishedMove = async (db: Db): Promise<boolean> => (await findSecret(db, name)) !== undefined

/**
 * Whether a summit may be restored to a database of any schema: it has the mark, or nothing yet, as when the restore
 * was killed before the mark.
 */
export async function isRestorable(db: Db): Promise<boolean> {
  const tables = new Set((await db.introspection.getTables()).map((table) => table.name))
  const secrets = tables.has('secret') ? await db.selectFrom('secret').select('name').execute() : []
  if (secrets.length > 0) return secrets.some((secret) => secret.name === name)
  return !tables.has('change') || !(await db.selectFrom('change').select('id').limit(1).executeTakeFirst())
}

/** Rejects a partly moved summit. @throws CannotOpen */
export async function assertNoUnfinishedMove(db: Db): Promise<void> {
  if (await hasUnfinishedMove(db))
    throw new CannotOpen('A move or restore to this summit has not finished. Run the same command again to resume it.')
}

/** @throws CannotOpen if the target has a summit that does not come from an unfinished move */
export const beginMove = (to: Database): Promise<void> =>
  to.transaction(async (tx) => {
    if (await hasUnfinishedMove(tx)) return
    if (await tx.selectFrom('change').select('id').limit(1).executeTakeFirst())
      throw new CannotOpen('There is already a summit here. Specify a new folder or an empty database.')
    await replaceSecret(tx, name, '')
  })

/**
 * Whether an earlier move has finished: the newest change of `from` is in the log of `to`, which may have newer
 * changes, and `to` has no unfinished move.
 */
export async function hasMoved(from: Database, to: Database): Promise<boolean> {
  const newest = await from.read.selectFrom('change').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst()
  if (!newest || (await hasUnfinishedMove(to.read))) return false
  const same = to.read
    .selectFrom('change')
    .select('id')
    .where((eb) => eb.and(newest))
  return (await same.executeTakeFirst()) !== undefined
}

export const endMove = (to: Database): Promise<void> => to.transaction((tx) => deleteSecret(tx, name))
