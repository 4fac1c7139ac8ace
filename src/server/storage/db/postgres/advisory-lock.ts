import pg from 'pg'
import { connectionConfig } from './connections.ts'

/** Any number; it tells the lock from those of other programs on the database. */
const lockId = 7_281_946

/**
 * Takes an advisory lock of the database, held by a connection of its own
 * (https://www.postgresql.org/docs/current/explicit-locking.html#ADVISORY-LOCKS).
 * @returns the function that releases the lock; undefined when another process holds it
 */
export async function tryAdvisoryLock(url: string): Promise<(() => Promise<void>) | undefined> {
  const client = new pg.Client(connectionConfig(url))
  // If the connection is lost, so is the lock; the work that it protects then fails by its own connection.
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [lockId])
  if (rows[0]?.locked) return () => client.end()
  await client.end()
  return undefined
}
