import type { Database } from './open.ts'
import type { Db, SecretName } from './tables.ts'

/** @returns undefined also in a database of the first version, which has no secrets yet */
export async function findSecret(db: Db, name: SecretName): Promise<string | undefined> {
  try {
    return (await db.selectFrom('secret').select('value').where('name', '=', name).executeTakeFirst())?.value
  } catch (error) {
    // Only now, because introspecting all tables takes long.
    if ((await db.introspection.getTables()).some((table) => table.name === 'secret')) throw error
    return undefined
  }
}

/** @returns the stored value, which is `initial` if there was none; several processes may call this at once */
export async function findOrStoreSecret(database: Database, name: SecretName, initial: string): Promise<string> {
  return (
    (await findSecret(database.read, name)) ??
    (await database.transaction(async (tx) => {
      const existing = await findSecret(tx, name)
      if (existing === undefined) await tx.insertInto('secret').values({ name, value: initial }).execute()
      return existing ?? initial
    }))
  )
}

export async function deleteSecret(db: Db, name: SecretName): Promise<void> {
  await db.deleteFrom('secret').where('name', '=', name).execute()
}

/** Call it in a transaction. */
export async function replaceSecret(tx: Db, name: SecretName, value: string): Promise<void> {
  await deleteSecret(tx, name)
  await tx.insertInto('secret').values({ name, value }).execute()
}
