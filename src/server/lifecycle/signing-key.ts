import { randomBytes, randomUUID } from 'node:crypto'
import { link, open, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ConfigError } from '../config.ts'
import { hasCode } from '../core/error-code.ts'
import type { Database } from '../db/open.ts'
import type { Db } from '../db/tables.ts'

/**
 * The key of `system.signature` that is kept in the data folder: 32 random bytes as hex, made at first start,
 * readable by its owner only. Programs that start together all have the same one.
 * @param first what it is to be if there is none yet, 64 hex digits
 * @throws ConfigError when the file is there but holds no such key
 */
export async function storedSigningKey(dataDir: string, first = newKey()): Promise<Buffer> {
  const path = pathIn(dataDir)
  const text = await readFile(path, 'utf8').catch(ignoreMissing)
  if (text === undefined) await makeFile(path, first)
  if (text === '') await fillFile(path, first)
  const [line = ''] = (await readFile(path, 'utf8')).trim().split('\n')
  if (!/^[0-9a-f]{64}$/.test(line))
    throw new ConfigError(
      `${path} does not hold a key of 64 hex digits. Restore it from a backup, or set SIGNATURE_KEY.`,
    )
  return Buffer.from(line, 'hex')
}

const pathIn = (dataDir: string): string => join(dataDir, 'signature.key')

/** Whether a data folder has its key; an empty file is none. */
export const hasStoredKey = async (dataDir: string): Promise<boolean> =>
  ((await stat(pathIn(dataDir)).catch(ignoreMissing))?.size ?? 0) > 0

const newKey = () => randomBytes(32).toString('hex')

/** The name comes to be with all that is in the file, and never takes the place of another's. */
async function makeFile(path: string, key: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}`
  try {
    await using file = await open(temporary, 'wx', 0o600)
    await file.writeFile(`${key}\n`)
    await file.sync()
    await link(temporary, path).catch(ignoreExisting)
  } finally {
    await rm(temporary, { force: true })
  }
  await using folder = await open(dirname(path))
  await folder.sync()
}

/** Older versions, cut off at their first start, left it empty. If several programs add a key, the first line counts. */
async function fillFile(path: string, key: string): Promise<void> {
  await using file = await open(path, 'a')
  await file.writeFile(`${key}\n`)
  await file.sync()
}

function ignoreMissing(error: unknown): undefined {
  if (!hasCode(error, 'ENOENT')) throw error
}

function ignoreExisting(error: unknown): void {
  if (!hasCode(error, 'EEXIST')) throw error
}

/** The key that is kept in a database that many processes share; whoever starts first makes it. */
export async function sharedSigningKey(database: Database, first = newKey()): Promise<Buffer> {
  const kept = (await findKey(database.read)) ?? (await database.transaction((tx) => findOrKeep(tx, first)))
  return Buffer.from(kept, 'hex')
}

/** Whether a database that many processes share has its key. */
export const hasSharedKey = async ({ read }: Database): Promise<boolean> => (await findKey(read)) !== undefined

const name = 'signature_key'

async function findKey(db: Db): Promise<string | undefined> {
  return (await db.selectFrom('secret').select('value').where('name', '=', name).executeTakeFirst())?.value
}

async function findOrKeep(tx: Db, value: string): Promise<string> {
  const known = await findKey(tx)
  if (known !== undefined) return known
  await tx.insertInto('secret').values({ name, value }).execute()
  return value
}
