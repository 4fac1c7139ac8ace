import pg from 'pg'
import { CannotOpen } from '../cannot-open.ts'
import type { DatabaseSnapshot } from '../snapshot.ts'
import { describeDatabaseUrl } from '../target.ts'
import { connectionConfig } from './connections.ts'
import { createPoolDb } from './queries.ts'

/** The role or the database may have some, but a copy takes as long as it takes. PostgreSQL 17 added the last one. */
const withoutTimeouts = `
  select set_config(name, '0', false) from pg_settings
  where name in ('statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`

/**
 * Opens one state of the database, held by one transaction on one connection, however long it takes.
 * @throws the error of connecting
 */
export async function openPostgresSnapshot(url: string): Promise<DatabaseSnapshot> {
  let isOpen = false
  const pool = new pg.Pool({
    ...connectionConfig(url),
    max: 1,
    // The pool must not replace the connection by one without the transaction.
    idleTimeoutMillis: 0,
    onConnect: async (client) => {
      if (isOpen) throw new CannotOpen(`The connection to the database ${describeDatabaseUrl(url)} was lost.`)
      await client.query(withoutTimeouts)
      await client.query('begin isolation level repeatable read, read only')
      isOpen = true
    },
  })
  pool.on('error', () => {})
  // The query that uses the connection fails, too.
  pool.on('connect', (client) => client.on('error', () => {}))
  try {
    // The snapshot is taken by the first query.
    await pool.query('select 1')
  } catch (error) {
    await pool.end()
    throw error
  }
  return { read: createPoolDb(pool), close: () => pool.end() }
}
