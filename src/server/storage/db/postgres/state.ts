import pg from 'pg'
import type { DatabaseState } from '../database-state.ts'
import { singleRow } from '../prepared.ts'
import { connectionConfig } from './connections.ts'
import { assertSupported } from './supported.ts'

/** Settings that must be on, and what happens otherwise. `synchronous_commit` is set by each of our connections. */
const requiredSettings = {
  fsync: 'a crash of the machine can lose acknowledged writes and damage the database',
  full_page_writes: 'a crash of the machine can damage the database',
}

/** @throws CannotOpen when the server is not supported, or the error of connecting */
export async function readPostgresState(url: string): Promise<DatabaseState> {
  const client = new pg.Client(connectionConfig(url))
  client.on('error', () => {})
  await client.connect()
  try {
    await assertSupported(client)
    const { rows: settings } = await client.query<{ name: keyof typeof requiredSettings }>(
      `select name from pg_settings where name = any($1) and setting = 'off' order by name`,
      [Object.keys(requiredSettings)],
    )
    const { version, bytes } = singleRow(
      (
        await client.query<{ version: string; bytes: number }>(
          `select current_setting('server_version') as version, pg_database_size(current_database()) as bytes`,
        )
      ).rows,
    )
    return {
      bytes,
      server: {
        version: `PostgreSQL ${version.split(' ')[0]}`,
        clockOffsetMs: await readClockOffset(client),
        unsafeSettings: settings.map(
          ({ name }) => `${name} is off: ${requiredSettings[name]}. Set it to on in postgresql.conf, and reload.`,
        ),
      },
    }
  } finally {
    await client.end()
  }
}

async function readClockOffset(client: pg.Client): Promise<number> {
  const before = Date.now()
  const { rows } = await client.query<{ now: number }>('select extract(epoch from clock_timestamp()) * 1000 as now')
  return singleRow(rows).now - (before + Date.now()) / 2
}
