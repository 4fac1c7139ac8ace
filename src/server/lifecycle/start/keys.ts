import { createSecretKey, type KeyObject, randomBytes, randomUUID } from 'node:crypto'
import { link, open, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Config, ConfigError } from '../../config/config.ts'
import { commandName } from '../../core/command-name.ts'
import { hasCode } from '../../core/errors.ts'
import { HmacKey } from '../../core/hmac-key.ts'
import { isSealedWith } from '../../log/audit/verify-chain.ts'
import { newestChanges } from '../../log/changes/log.ts'
import { syncPath } from '../../storage/data-dir/sync-path.ts'
import { CannotOpen } from '../../storage/db/cannot-open.ts'
import type { Database } from '../../storage/db/open.ts'
import { findOrStoreSecret, findSecret } from '../../storage/db/stored-secret.ts'
import type { Db } from '../../storage/db/tables.ts'
import { hasUnfinishedMove } from './unfinished-move.ts'

/** A key in `DATA_DIR`: 32 random bytes as hex in a file that only its owner can read. */
interface KeyFile {
  name: string
  /** The setting that replaces it. */
  setting: string
}

const keyFilePath = ({ name }: KeyFile, dataDir: string): string => join(dataDir, name)

/**
 * Reads a key, or creates it. Programs that start concurrently all get the same key.
 * @param initial the key to store if there is none yet, 64 hex digits
 * @throws ConfigError if the file exists but does not contain a key
 */
async function loadOrCreateKey(file: KeyFile, dataDir: string, initial = newKey()): Promise<Buffer> {
  const path = keyFilePath(file, dataDir)
  const text = await readFile(path, 'utf8').catch(ignoreMissing)
  if (text === undefined) await createFile(path, initial)
  if (text === '') await appendKey(path, initial)
  return readKey(file, path)
}

/** The key; undefined if there is none. Creates nothing. @throws ConfigError if the file does not contain a key */
const findKey = async (file: KeyFile, dataDir: string): Promise<Buffer | undefined> =>
  (await hasKey(file, dataDir)) ? readKey(file, keyFilePath(file, dataDir)) : undefined

/** Whether the file exists and is not empty. */
const hasKey = async (file: KeyFile, dataDir: string): Promise<boolean> =>
  ((await stat(keyFilePath(file, dataDir)).catch(ignoreMissing))?.size ?? 0) > 0

const newKey = (): string => randomBytes(32).toString('hex')

async function readKey({ setting }: KeyFile, path: string): Promise<Buffer> {
  const [line = ''] = (await readFile(path, 'utf8')).trim().split('\n')
  if (!/^[0-9a-f]{64}$/.test(line))
    throw new ConfigError(
      `${path} does not contain a key of 64 hex digits. Restore it from a backup, or set ${setting}.`,
    )
  return Buffer.from(line, 'hex')
}

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
  await syncPath(dirname(path))
}

/**
 * Fills an empty file, left by an interrupted first start of an older version. If several programs append a key, the
 * first line counts.
 */
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

const signatureFile: KeyFile = { name: 'signature.key', setting: 'SIGNATURE_KEY' }

/** The name of the key in a database that several instances share. */
const signatureSecret = 'signature_key'

/** Reads the key for `system.signature` from `DATA_DIR`, or creates it. */
export const loadOrCreateKeyFile = (dataDir: string, initial?: string): Promise<Buffer> =>
  loadOrCreateKey(signatureFile, dataDir, initial)

export const keyFileIn = (dataDir: string): string => keyFilePath(signatureFile, dataDir)

/** Whether the key file exists and is not empty. */
export const hasKeyFile = (dataDir: string): Promise<boolean> => hasKey(signatureFile, dataDir)

/** The key of a summit as 64 hex digits; undefined if it has none yet. Creates nothing. */
export async function findSigningKey({ signatureKey, database, dataDir }: Config, db: Db): Promise<string | undefined> {
  if (signatureKey) return signatureKey.toString('hex')
  if (database.kind === 'server') return findSecret(db, signatureSecret)
  return (await findKey(signatureFile, dataDir))?.toString('hex')
}

/** Reads the key from a database that several instances share; the first one to start creates it. */
export const loadOrCreateSharedKey = async (database: Database, initial = newKey()): Promise<Buffer> =>
  Buffer.from(await findOrStoreSecret(database, signatureSecret, initial), 'hex')

/** Whether a database that several instances share has a key. */
export const hasSharedKey = async ({ read }: Database): Promise<boolean> =>
  (await findSecret(read, signatureSecret)) !== undefined

const auditFile: KeyFile = { name: 'audit.key', setting: 'AUDIT_KEY' }

export const auditKeyFileIn = (dataDir: string): string => keyFilePath(auditFile, dataDir)

/**
 * The key that seals the change log. It is never in the database, since somebody who can alter the log there must not
 * be able to seal it. A database in a folder gets one at the first start. On a server, where all nodes need the same
 * key, it has to be given: otherwise the log is not sealed.
 * @param initial the key to store if there is none yet, 64 hex digits
 */
export async function loadAuditKey(config: Config, initial?: string): Promise<HmacKey | undefined> {
  if (config.auditKey || (config.database.kind === 'server' && initial === undefined)) return findAuditKey(config)
  return new HmacKey(await loadOrCreateKey(auditFile, config.dataDir, initial))
}

/** The key, if there is one. Creates nothing. */
export async function findAuditKey({ auditKey, dataDir }: Config): Promise<HmacKey | undefined> {
  const key = auditKey ?? (await findKey(auditFile, dataDir))
  return key && new HmacKey(key)
}

/**
 * Checks the key against the newest change before anything is appended. The log of an unfinished restore may have been
 * sealed with a key that the backup does not contain.
 * @param warn called if the log is sealed with another key
 * @throws CannotOpen if the log is sealed and there is no key: what is appended would break the chain
 */
export async function checkAuditKey(db: Db, key: HmacKey | undefined, warn: (message: string) => void): Promise<void> {
  const [newest, before] = await newestChanges(db, 2)
  if (!newest || newest.hash === '' || (await hasUnfinishedMove(db))) return
  if (!key)
    throw new CannotOpen(
      'The change log of this summit is sealed with a key that is missing here. Set AUDIT_KEY to it on every server, or ' +
        'copy audit.key from the DATA_DIR that has it. If it is lost, set a new one, 64 hex digits.',
    )
  if (!isSealedWith(key, newest, before))
    warn(
      'The newest change of the log does not match AUDIT_KEY or audit.key. If the key was lost and replaced, a ' +
        `new chain begins; otherwise correct the key now, and run: ${commandName} audit verify`,
    )
}

/** The key that signs cookies of a sign-in in progress; all processes on one database share it. */
export async function loadOrCreateCookieKey(database: Database): Promise<KeyObject> {
  const hex = await findOrStoreSecret(database, 'cookie_key', newKey())
  return createSecretKey(Buffer.from(hex, 'hex'))
}
