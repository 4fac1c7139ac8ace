import pg from 'pg'
import { coalesce } from '../../../core/coalesce.ts'
import { throwUncaught } from '../../../core/errors.ts'
import { CannotOpen } from '../cannot-open.ts'
import { Damage } from '../damage.ts'
import { GroupCommit } from '../group-commit.ts'
import { MigrationFailed } from '../migrate.ts'
import type { Database } from '../open.ts'
import type { Db } from '../tables.ts'
import { describeDatabaseUrl } from '../target.ts'
import { afterLoad } from './after-load.ts'
import { Connections, connectionConfig, readPosition } from './connections.ts'
import { CurrentServer } from './current-server.ts'
import { sqlState } from './errors.ts'
import { createDb, createPoolDb } from './queries.ts'
import { assertSupported } from './supported.ts'
import { PostgresWriter } from './writer.ts'

/** The connections of a process for reading; it has one more for writing. */
export const maxReaders = 8

/**
 * Opens a database on a server.
 * @param prepareSchema runs before anything else uses the database; its errors are passed on
 * @param statementMs see `openDatabase`
 * @throws CannotOpen
 */
export async function openPostgres(
  url: string,
  prepareSchema: (db: Db) => Promise<void>,
  statementMs?: number,
): Promise<Database> {
  await prepare(url, prepareSchema)
  const server = new CurrentServer()
  const readers = new Connections(url, { server, max: maxReaders, statementMs })
  const writer = new PostgresWriter(new Connections(url, { server, max: 1, statementMs }))
  const read = createDb((text, values) => readers.read(text, values))
  // No error of a server is fatal: writes that it did not acknowledge, we do not acknowledge. So a fatal error is a bug
  // of ours.
  const commits = new GroupCommit(writer, throwUncaught)
  return {
    // Damage that a server reports is not recorded: the server may be restored behind its address.
    damage: new Damage(),
    read,
    transaction: commits.run,
    afterLoad: () => afterLoad(read),
    scrub: async () => {},
    isRebuilt: async () => false,
    readCommitted: (work) => readers.readCommitted(work),
    snapshot: (work) => readers.snapshot(work),
    position: coalesce(() => readers.withConnection(readPosition)),
    close: async () => {
      await commits.idle()
      await Promise.all([readers.close(), writer.close()])
    },
  }
}

/**
 * Whether the database holds a summit. Its tables alone do not count: they may be those of an interrupted move.
 * @throws CannotOpen when the database cannot be reached
 */
export const hasSummit = (url: string): Promise<boolean> =>
  withPool(url, async (pool) => {
    const hasRows = async (table: 'secret' | 'change') => {
      const exist = `to_regclass('kysely_migration') is not null and to_regclass('${table}') is not null`
      const { rows } = await pool.query<{ exist: boolean }>(`select ${exist} as exist`)
      return rows[0]?.exist === true && (await pool.query(`select from ${table} limit 1`)).rowCount === 1
    }
    try {
      // A summit with a `SIGNATURE_KEY` that was moved here, or served by an older version, may have no secret.
      return (await hasRows('secret')) || (await hasRows('change'))
    } catch (error) {
      return await explainMissingPrivilege(error, pool)
    }
  })

/** Checks that the database is supported, and prepares its schema. */
const prepare = (url: string, prepareSchema: (db: Db) => Promise<void>): Promise<void> =>
  withPool(url, async (pool) => {
    const client = await pool.connect()
    await assertSupported(client).finally(() => client.release())
    await prepareSchema(createPoolDb(pool)).catch((error: unknown) => explainMissingPrivilege(error, pool))
  })

/** Runs `work` with a connection without a statement timeout. @throws CannotOpen when connecting fails */
async function withPool<T>(url: string, work: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const pool = new pg.Pool({ ...connectionConfig(url), max: 1 })
  pool.on('error', () => {})
  try {
    await connectOnce(url, pool)
    return await work(pool)
  } finally {
    await pool.end()
  }
}

async function connectOnce(url: string, pool: pg.Pool): Promise<void> {
  try {
    // Also reads the files that the URL names, such as a certificate; `connect` throws synchronously if one is missing.
    const client = await pool.connect()
    client.release()
  } catch (error) {
    throw new CannotOpen(describeConnectError(url, error), { cause: error })
  }
}

/** Since PostgreSQL 15, only the owner of a database may create tables in it by default. */
async function explainMissingPrivilege(error: unknown, pool: pg.Pool): Promise<never> {
  const cause = error instanceof MigrationFailed ? error.cause : error
  if (!isMissingPrivilege(cause) || !(cause instanceof Error)) throw error
  const { rows } = await pool.query<{ role: string; name: string }>(
    'select current_user as role, current_database() as name',
  )
  const { role = '', name = '' } = rows[0] ?? {}
  const remedy = `alter database ${pg.escapeIdentifier(name)} owner to ${pg.escapeIdentifier(role)}`
  throw new CannotOpen(
    `The role ${role} may not create tables in the database: ${cause.message}. The role must own the database and ` +
      `its tables. As an administrator, run: psql --command='${remedy}'`,
    { cause },
  )
}

/** For a role without the right to use the schema, PostgreSQL reports that no schema exists. */
const isMissingPrivilege = (error: unknown): boolean =>
  [insufficientPrivilege, invalidSchemaName].includes(sqlState(error) ?? '')
const insufficientPrivilege = '42501'
const invalidSchemaName = '3F000'

function describeConnectError(url: string, error: unknown): string {
  const reason = error instanceof Error ? error.message || ('code' in error && String(error.code)) : String(error)
  return `Cannot open the database ${describeDatabaseUrl(url)}: ${reason}.`
}
