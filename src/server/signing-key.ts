import { randomBytes } from 'node:crypto'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from './db/open.ts'
import type { Db } from './db/tables.ts'
import { hasCode } from './errors.ts'

const keyBytes = 32

/**
 * The key of `system.signature` that is kept in the data folder: 32 random bytes as hex, made at first start,
 * readable by its owner only.
 * @throws when the file is there but holds no such key
 */
export async function keptSigningKey(dataDir: string): Promise<Buffer> {
  const path = join(dataDir, 'signature.key')
  try {
    const file = await open(path, 'wx', 0o600)
    const key = randomBytes(keyBytes)
    await file.writeFile(`${key.toString('hex')}\n`)
    await file.sync()
    await file.close()
    return key
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  }
  const text = (await readFile(path, 'utf8')).trim()
  if (!/^[0-9a-f]{64}$/.test(text)) throw new Error(`${path} does not hold a key of 64 hex digits.`)
  return Buffer.from(text, 'hex')
}

/** The key that is kept in a database that many processes share; whoever starts first makes it. */
export async function sharedSigningKey(database: Database): Promise<Buffer> {
  const kept = (await findKey(database.read)) ?? (await database.transaction(findOrMakeKey))
  return Buffer.from(kept, 'hex')
}

const name = 'signature_key'

async function findKey(db: Db): Promise<string | undefined> {
  return (await db.selectFrom('secret').select('value').where('name', '=', name).executeTakeFirst())?.value
}

async function findOrMakeKey(tx: Db): Promise<string> {
  const known = await findKey(tx)
  if (known !== undefined) return known
  const value = randomBytes(keyBytes).toString('hex')
  await tx.insertInto('secret').values({ name, value }).execute()
  return value
}
