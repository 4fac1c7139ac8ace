import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import type { Database } from '../../storage/db/open.ts'
import { findOrStoreSecret } from '../../storage/db/stored-secret.ts'

/** The key that signs cookies of a sign-in in progress; all processes on one database share it. */
export async function loadOrCreateCookieKey(database: Database): Promise<KeyObject> {
  const hex = await findOrStoreSecret(database, 'cookie_key', randomBytes(32).toString('hex'))
  return createSecretKey(Buffer.from(hex, 'hex'))
}
