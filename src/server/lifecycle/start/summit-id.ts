import { createHmac, randomBytes } from 'node:crypto'
import { stat } from 'node:fs/promises'
import type { Config } from '../../config/config.ts'
import type { Database } from '../../storage/db/open.ts'
import { findOrStoreSecret, findSecret } from '../../storage/db/stored-secret.ts'
import type { Db } from '../../storage/db/tables.ts'

/** A random value that only processes on the same database know. */
const name = 'summit_id_key'

/**
 * The id of a summit in its place. It is equal for all processes on one database, and differs for a copy in another
 * folder. `/healthz` has it, so that a command can tell whether the server works on the same summit. It reveals
 * nothing.
 */
export const loadOrCreateSummitId = async (config: Config, database: Database): Promise<string> =>
  toId(await findOrStoreSecret(database, name, randomBytes(32).toString('hex')), config)

/** The id, if any server or command has opened the summit since ids exist. Writes nothing. */
export async function findSummitId(config: Config, db: Db): Promise<string | undefined> {
  const key = await findSecret(db, name)
  return key === undefined ? undefined : toId(key, config)
}

async function toId(key: string, { database }: Config): Promise<string> {
  return createHmac('sha256', key)
    .update(await placeOf(database))
    .digest('hex')
    .slice(0, 32)
}

/** A folder by device and inode, as a container may know it by another path. */
async function placeOf(database: Config['database']): Promise<string> {
  if (database.kind === 'server') return ''
  const { dev, ino } = await stat(database.dir, { bigint: true })
  return `${dev}:${ino}`
}
