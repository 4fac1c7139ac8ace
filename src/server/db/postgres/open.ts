import pg from 'pg'
import { coalesce } from '../../core/coalesce.ts'
import { throwUncaught } from '../../core/throw-uncaught.ts'
import { CannotOpen } from '../cannot-open.ts'
import { Damage } from '../damage.ts'
import { GroupCommit } from '../group-commit.ts'
import { migrate } from '../migrate.ts'
import type { Database } from '../open.ts'
import { databaseAt } from '../target.ts'
import { basics, Connections } from './connections.ts'
import { CurrentServer } from './current-server.ts'
import { sqlState } from './errors.ts'
import { continueIdentities } from './identities.ts'
import { newestPosition } from './position.ts'
import { queries, queriesOn } from './queries.ts'
import { analyzeTables } from './statistics.ts'
import { assertSupported } from './supported.ts'
import { turnSocket } from './turn-socket.ts'
import { PostgresWriter } from './writer.ts'

/** Connections that one process reads on; it writes on one more. */
export const maxReaders = 8

/**
 * Opens a database on a server, migrated where needed.
 * @param statementMs see `openDatabase`
 * @throws CannotOpen, NewerSchema
 */
export async function openPostgres(url: string, statementMs?: number): Promise<Database> {
  await prepare(url)
  const server = new CurrentServer()
  const readers = new Connections(url, { server, max: maxReaders, statementMs, stream: turnSocket })
  const writer = new PostgresWriter(new Connections(url, { server, max: 1, statementMs }))
  const read = queries((text, values) => readers.read(text, values))
  // Nothing that a server tells is fatal: what it did not acknowledge, we do not. So whatever is, is a bug of ours.
  const commits = new GroupCommit(writer, throwUncaught)
  return {
    // What a server says of its own damage is an answer of that moment: the server may be restored behind its address.
    damage: new Damage(),
    read,
    transaction: (work) => commits.run(work),
    afterLoad: async () => {
      await continueIdentities(read)
      await analyzeTables(read)
    },
    gather: (work) => readers.gather(work),
    snapshot: (work) => readers.snapshot(work),
    position: coalesce(() => readers.reading(newestPosition)),
    close: async () => {
      await commits.idle()
      await Promise.all([readers.close(), writer.close()])
    },
  }
}

/**
 * Whether a summit has begun in this database: its tables alone may be those of a move that was cut off.
 * @throws CannotOpen when it cannot be reached
 */
export const hasSummit = (url: string): Promise<boolean> =>
  withPool(url, async (pool) => {
    const has = async (table: 'secret' | 'change') => {
      const tables = `to_regclass('kysely_migration') is not null and to_regclass('${table}') is not null`
      const { rows } = await pool.query<{ are: boolean }>(`select ${tables} as are`)
      return rows[0]?.are === true && (await pool.query(`select from ${table} limit 1`)).rowCount === 1
    }
    try {
      // One that has been moved here, or served by an older version, and has a `SIGNATURE_KEY`, may have no secret.
      return (await has('secret')) || (await has('change'))
    } catch (error) {
      return await explainRefusal(error, pool)
    }
  })

/** Checks and migrates. */
const prepare = (url: string): Promise<void> =>
  withPool(url, async (pool) => {
    const client = await pool.connect()
    await assertSupported(client).finally(() => client.release())
    await migrate(queriesOn(pool)).catch((error: unknown) => explainRefusal(error, pool))
  })

/** Works on a connection that may take its time. @throws CannotOpen when there is none */
async function withPool<T>(url: string, work: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const pool = new pg.Pool({ ...basics(url), max: 1 })
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
    // Reads what the URL names, such as a certificate, too; where that is not there, `connect` throws at once.
    const client = await pool.connect()
    client.release()
  } catch (error) {
    throw new CannotOpen(unreachable(url, error), { cause: error })
  }
}

/** Whoever is not the owner of a database may not make tables in it, since PostgreSQL 15. */
async function explainRefusal(error: unknown, pool: pg.Pool): Promise<never> {
  if (!isMissingRight(error) || !(error instanceof Error)) throw error
  const { rows } = await pool.query<{ role: string; name: string }>(
    'select current_user as role, current_database() as name',
  )
  const { role = '', name = '' } = rows[0] ?? {}
  const remedy = `alter database ${pg.escapeIdentifier(name)} owner to ${pg.escapeIdentifier(role)}`
  throw new CannotOpen(
    `The database does not let ${role} make its tables: ${error.message}. The role has to own the database, and the ` +
      `tables in it. As its administrator type: psql --command='${remedy}'`,
    { cause: error },
  )
}

/** Where a role may not even use the schema, PostgreSQL says that there is none. */
const isMissingRight = (error: unknown): boolean =>
  [insufficientPrivilege, invalidSchemaName].includes(sqlState(error) ?? '')
const insufficientPrivilege = '42501'
const invalidSchemaName = '3F000'

function unreachable(url: string, error: unknown): string {
  const why = error instanceof Error ? error.message || ('code' in error && String(error.code)) : String(error)
  return `Cannot open the database ${databaseAt(url)}: ${why}.`
}
