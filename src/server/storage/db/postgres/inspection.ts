import pg from 'pg'
import { type Inspection, maxReported } from '../inspection.ts'
import { connectionConfig } from './connections.ts'
import { createPoolDb } from './queries.ts'

/** Enough for the longest statement, which reads two whole tables. */
const statementMs = 10 * 60_000

interface ForeignKey {
  table: string
  column: string
  parent: string
  key: string
}

const foreignKeys = `
  select c.conrelid::regclass::text as table, child.attname as column, c.confrelid::regclass::text as parent,
    parent.attname as key
  from pg_constraint c
  join pg_attribute child on child.attrelid = c.conrelid and child.attnum = c.conkey[1]
  join pg_attribute parent on parent.attrelid = c.confrelid and parent.attnum = c.confkey[1]
  where c.contype = 'f' and c.connamespace = current_schema()::regnamespace
  order by 1, 2`

/** Each statement reads its own snapshot, so that a long check does not hold back the server's vacuum. */
export async function inspectPostgres(url: string): Promise<Inspection> {
  const onConnect = (client: pg.ClientBase) => client.query('set default_transaction_read_only = on')
  const pool = new pg.Pool({ ...connectionConfig(url), max: 1, statement_timeout: statementMs, onConnect })
  pool.on('error', () => {})
  return {
    read: createPoolDb(pool),
    async *findDamage() {
      const { rows } = await pool.query<ForeignKey>(foreignKeys)
      for (const { table, column, parent, key } of rows) {
        const dangling = `select c.id from ${table} c left join ${parent} p on p.${key} = c.${column}
          where c.${column} is not null and p.${key} is null order by c.id limit ${maxReported}`
        for (const { id } of (await pool.query<{ id: number }>(dangling)).rows)
          yield `${table} ${id}: the ${parent} that it belongs to does not exist`
      }
    },
    close: () => pool.end(),
  }
}
