import { randomBytes, randomUUID } from 'node:crypto'
import { link, open, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Config, ConfigError } from '../config/config.ts'
import { hasCode } from '../core/error-code.ts'
import type { Database } from '../db/open.ts'
import { findOrStoreSecret, findSecret } from '../db/stored-secret.ts'
import type { Db } from '../db/tables.ts'

/**
 * Reads the key for `system.signature` from `DATA_DIR`, or creates it: 32 random bytes as hex in a file that only its
 * owner can read. Programs that start concurrently all get the same key.
 * @param initial the key to store if there is none yet, 64 hex digits
 * @throws ConfigError if the file exists but does not contain a key
 */
export async function loadOrCreateKeyFile(dataDir: string, initial = newKey()): Promise<Buffer> {
  const path = keyFileIn(dataDir)
  const text = await readFile(path, 'utf8').catch(ignoreMissing)
  if (text === undefined) await createFile(path, initial)
  if (text === '') await appendKey(path, initial)
  const [line = ''] = (await readFile(path, 'utf8')).trim().split('\n')
  if (!/^[0-9a-f]{64}$/.test(line))
    throw new ConfigError(
      `${path} does not contain a key of 64 hex digits. Restore it from a backup, or set SIGNATURE_KEY.`,
    )
  return Buffer.from(line, 'hex')
}

export const keyFileIn = (dataDir: string): string => join(dataDir, 'signature.key')

/** Whether the key file exists and is not empty. */
export const hasKeyFile = async (dataDir: string): Promise<boolean> =>
  ((await stat(keyFileIn(dataDir)).catch(ignoreMissing))?.size ?? 0) > 0

/** The key of a summit as 64 hex digits; undefined if it has none yet. Creates nothing. */
export async function findSigningKey({ signatureKey, database, dataDir }: Config, db: Db): Promise<string | undefined> {
  if (signatureKey) return signatureKey.toString('hex')
  if (database.kind === 'server') return findSecret(db, name)
  return (await hasKeyFile(dataDir)) ? (await loadOrCreateKeyFile(dataDir)).toString('hex') : undefined
}

const newKey = () => randomBytes(32).toString('hex')

/** Creates the file atomically with its content, and never overwrites that of another process. */
async function createFile(path: string, key: string): Promise<void> {
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

/** Fills an empty file, left by an interrupted first start of an older version. If several programs append a key, the first line counts. */
async function appendKey(path: string, key: string): Promise<void> {
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

/** Reads the key from a database that several instances share; the first one to start creates it. */
export const loadOrCreateSharedKey = async (database: Database, initial = newKey()): Promise<Buffer> =>
  Buffer.from(await findOrStoreSecret(database, name, initial), 'hex')

/** Whether a database that several instances share has a key. */
export const hasSharedKey = async ({ read }: Database): Promise<boolean> => (await findSecret(read, name)) !== undefined

const name = 'signature_key'
