import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import type { Database } from '../db/open.ts'
import { findOrStoreSecret } from '../db/stored-secret.ts'

/** The key that signs what a browser stores for the server, common to all processes on one database. */
export async function loadOrCreateCookieKey(database: Database): Promise<KeyObject> {
  const hex = await findOrStoreSecret(database, 'cookie_key', randomBytes(32).toString('hex'))
  return createSecretKey(Buffer.from(hex, 'hex'))
}
