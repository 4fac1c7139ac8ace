import { assertNoLaterChange } from '../../commands/move/move.ts'
import { commandName } from '../../core/command-name.ts'
import { CannotOpen } from '../../storage/db/cannot-open.ts'
import type { Database, Position } from '../../storage/db/open.ts'
import { deleteSecret, findSecret, replaceSecret } from '../../storage/db/stored-secret.ts'
import type { Db } from '../../storage/db/tables.ts'

/** Marks a database whose summit was moved to another location. */
const name = 'moved_to'

/** The location that the summit was moved to, without a password; undefined if it is still here. */
export const findNewLocation = (db: Db): Promise<string | undefined> => findSecret(db, name)

/** Prevents an old copy from being served or changed, which would split the summit in two. @throws CannotOpen */
export async function assertNotMoved(db: Db): Promise<void> {
  const place = await findNewLocation(db)
  if (place !== undefined)
    throw new CannotOpen(
      `This summit was moved to ${place}, and this is an old copy. Use the settings of the new location. To go on ` +
        `with this copy instead, run: ${commandName} move --revoke`,
    )
}

/**
 * The database of a command. Its transactions check again that the summit has not moved: a move does not wait for
 * commands, and a write to the old copy would be lost.
 */
export const rejectWritesOnceMoved = (database: Database): Database => ({
  ...database,
  transaction: (work) =>
    database.transaction(async (tx) => {
      await assertNotMoved(tx)
      return work(tx)
    }),
})

/**
 * @param verified the position of the log up to which the copy is complete
 * @param place as shown to the operator
 * @throws MoveFailed when `from` has been written to since
 */
export const markMoved = (from: Database, verified: Position, place: string): Promise<void> =>
  from.transaction(async (tx) => {
    await assertNoLaterChange(tx, verified)
    await replaceSecret(tx, name, place)
  })

/** Removes the mark, so that servers and commands use this database again. */
export const unmarkMoved = (from: Database): Promise<void> => from.transaction((tx) => deleteSecret(tx, name))
