import { CannotOpen } from '../db/cannot-open.ts'
import type { Database } from '../db/open.ts'
import type { Db } from '../db/tables.ts'
import { findSecret } from './stored-secret.ts'

/** Marks a database whose summit was moved to another place. */
const name = 'moved_to'

/** The place that the summit was moved to, without a password; undefined if it is still here. */
export const findNewPlace = (db: Db): Promise<string | undefined> => findSecret(db, name)

/** Prevents an old copy from being served or changed, which would split the summit in two. @throws CannotOpen */
export async function assertNotMoved({ read }: Pick<Database, 'read'>): Promise<void> {
  const place = await findNewPlace(read)
  if (place !== undefined)
    throw new CannotOpen(
      `This summit was moved to ${place}, and what is here is an old copy. Use the settings of the new place. To go on ` +
        'with this copy instead, run: npm run summit -- move --revoke',
    )
}

/** @param place as shown to the operator */
export const markMoved = (from: Database, place: string): Promise<void> =>
  from.transaction(async (tx) => {
    await tx.deleteFrom('secret').where('name', '=', name).execute()
    await tx.insertInto('secret').values({ name, value: place }).execute()
  })

/** The summit is here again. */
export const unmarkMoved = (from: Database): Promise<void> =>
  from.transaction(async (tx) => void (await tx.deleteFrom('secret').where('name', '=', name).execute()))
