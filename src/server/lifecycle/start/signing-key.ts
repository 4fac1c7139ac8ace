import type { Config } from '../../config/config.ts'
import type { Database } from '../../storage/db/open.ts'
import { findOrStoreSecret, findSecret } from '../../storage/db/stored-secret.ts'
import type { Db } from '../../storage/db/tables.ts'
import { findKey, hasKey, type KeyFile, keyFilePath, loadOrCreateKey, newKey } from './key-file.ts'

const file: KeyFile = { name: 'signature.key', setting: 'SIGNATURE_KEY' }

/** Reads the key for `system.signature` from `DATA_DIR`, or creates it; see {@link loadOrCreateKey}. */
export const loadOrCreateKeyFile = (dataDir: string, initial?: string): Promise<Buffer> =>
  loadOrCreateKey(file, dataDir, initial)

export const keyFileIn = (dataDir: string): string => keyFilePath(file, dataDir)

/** Whether the key file exists and is not empty. */
export const hasKeyFile = (dataDir: string): Promise<boolean> => hasKey(file, dataDir)

/** The key of a summit as 64 hex digits; undefined if it has none yet. Creates nothing. */
export async function findSigningKey({ signatureKey, database, dataDir }: Config, db: Db): Promise<string | undefined> {
  if (signatureKey) return signatureKey.toString('hex')
  if (database.kind === 'server') return findSecret(db, name)
  return (await findKey(file, dataDir))?.toString('hex')
}

/** Reads the key from a database that several instances share; the first one to start creates it. */
export const loadOrCreateSharedKey = async (database: Database, initial = newKey()): Promise<Buffer> =>
  Buffer.from(await findOrStoreSecret(database, name, initial), 'hex')

/** Whether a database that several instances share has a key. */
export const hasSharedKey = async ({ read }: Database): Promise<boolean> => (await findSecret(read, name)) !== undefined

const name = 'signature_key'
