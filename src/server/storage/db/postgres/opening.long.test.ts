import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDataFolder } from '../../../../../test/faults/create-data-folder.ts'
import { launchServer } from '../../../../../test/faults/server-process.ts'
import { findInstalledBinaries } from '../../../../../test/postgres/binaries.ts'
import { PostgresServer } from '../../../../../test/postgres/server.ts'
import { isInitialized } from '../initialized.ts'
import { openDatabase } from '../open.ts'

/** The exit code and output of `npm start` when it does not start on this database. */
async function failToStart(url: string): Promise<{ code: number | null; out: string; err: string }> {
  await using folder = await createDataFolder()
  await using server = launchServer(folder.dir, { DATABASE_URL: url })
  const { code } = await server.exited
  return { code, out: server.stdout(), err: server.stderr() }
}

const open = (url: string, statementMs?: number) => openDatabase({ kind: 'server', url }, () => {}, statementMs)

test('an unreachable server gives one clear line, without the password', async () => {
  const { code, out, err } = await failToStart('postgres://summit:s3cret@127.0.0.1:1/conference')
  expect([code, out]).toEqual([1, ''])
  expect(err).toMatch(/^Cannot open the database conference at 127\.0\.0\.1:1: .*ECONNREFUSED.*\n$/)
  expect(err).not.toContain('s3cret')
})

test('an invalid DATABASE_URL gives one clear line', async () => {
  const { code, err } = await failToStart('mysql://summit@127.0.0.1/conference')
  expect([code, err]).toEqual([1, expect.stringMatching(/^DATABASE_URL must be a URL such as postgres:\/\/.*\n$/)])
})

const servers = [
  ['from npm', undefined],
  ...[await findInstalledBinaries()].flatMap((binaries) => (binaries ? [['of the machine', binaries] as const] : [])),
] as const

describe.each(servers)('PostgreSQL %s', (_, binaries) => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await PostgresServer.start({ binaries })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  test('opens a new database, and opens it again', async () => {
    await server.query('create database fresh')
    for (const expected of [0, 1]) {
      const database = await open(server.url('fresh'))
      expect((await database.position()).id).toBe(expected)
      if (expected === 0)
        await database.transaction((tx) =>
          tx.insertInto('change').values({ at: 1, kind: 'summit.created', record_id: 0 }).execute(),
        )
      await database.close()
    }
  })

  test('cancels a statement that takes longer than a request can wait, unless a command runs it', async () => {
    const slow = async (statementMs?: number) => {
      const database = await open(server.url(), statementMs)
      try {
        return await sql`select pg_sleep(2.2)`.execute(database.read)
      } finally {
        await database.close()
      }
    }
    await expect(slow()).rejects.toThrow('statement timeout')
    expect((await slow(10_000)).rows).toHaveLength(1)
  })

  test('rejects a database that does not exist with one line', async () => {
    await expect(open(server.url('nowhere'))).rejects.toThrow(/^Cannot open .* database "nowhere" does not exist\.$/)
  })

  test.each([
    ['not_owned', '', 'permission denied for schema public'],
    ['no_schema_usage', 'revoke all on schema public from public', 'no schema has been selected to create in'],
  ])(
    'rejects the database %s, in which it may not create tables, with one line that has the remedy',
    async (name, deny, reason) => {
      await server.query(`create database ${name}`)
      await server.query(`${deny}; create role guest_of_${name} login`, name)
      const url = server.url(name).replace('summit@', `guest_of_${name}@`)
      const remedy = `alter database "${name}" owner to "guest_of_${name}"`
      await expect(open(url)).rejects.toThrow(
        `The role guest_of_${name} may not create tables in the database: ${reason}. The role must own the database ` +
          `and its tables. As an administrator, run: psql --command='${remedy}'`,
      )
      await server.query(remedy)
      await (await open(url)).close()
    },
  )

  test('says in one line with the remedy that a role may not read whether there is a summit', async () => {
    await server.query('create database others')
    await (await open(server.url('others'))).close()
    await server.query('create role stranger login')
    const url = server.url('others').replace('summit@', 'stranger@')
    await expect(isInitialized({ kind: 'server', url })).rejects.toThrow(
      /^The role stranger may not create tables .* --command='alter database "others" owner to "stranger"'$/,
    )
  })

  test('rejects a database of a newer Summit with one line', async () => {
    await server.query('create database newer')
    await (await open(server.url('newer'))).close()
    await server.query(`insert into kysely_migration values ('9999-from-the-future', 'x')`, 'newer')
    const line = /^This database was written by a newer Summit \(it has the migration 9999-from-the-future\)\..*$/
    await expect(open(server.url('newer'))).rejects.toThrow(line)
  })

  test.each([
    ['the collation of a language', `locale_provider icu icu_locale 'en' encoding UTF8 locale 'C'`],
    ['the root collation', `locale_provider icu icu_locale 'und' encoding UTF8 locale 'C'`],
    ['another encoding', `encoding 'LATIN1' locale 'C'`],
    ['no encoding', `encoding 'SQL_ASCII' locale 'C'`],
  ])('rejects a database with %s with one line', async (_, options) => {
    await server.query('drop database if exists other')
    await server.query(`create database other template template0 ${options}`)
    const line = /^The database must .* createdb --owner=ROLE --template=template0 --encoding=UTF8 --locale=C NAME$/
    await expect(open(server.url('other'))).rejects.toThrow(line)
  })

  test('makes a write durable before it is acknowledged, even with synchronous_commit off', async () => {
    await server.query('create database lax')
    await server.query('alter database lax set synchronous_commit = off')
    const database = await open(server.url('lax'))
    const setting = await database.transaction(
      async (tx) =>
        (
          await tx
            .selectNoFrom(({ fn, val }) => fn<string>('current_setting', [val('synchronous_commit')]).as('value'))
            .executeTakeFirstOrThrow()
        ).value,
    )
    expect(setting).toBe('on')
    await database.close()
  })
})
