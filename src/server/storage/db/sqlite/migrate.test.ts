import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTestStorage } from '../../../../../test/app.ts'
import { migrate } from '../migrate.ts'
import { primaryKeys, tableNames } from '../tables.ts'
import { connect } from './connection.ts'
import { createDb } from './queries.ts'

const migrationFiles = readdirSync(join(import.meta.dirname, '../migrations'))

test('every file of the folder migrations is listed in migrate.ts, so that it is applied', async () => {
  await using storage = await createTestStorage()
  using connection = connect(join(storage.dataDir, 'summit.db'), 'write')
  const applied = connection.prepare('select name from kysely_migration order by name').all()
  expect(applied.map(({ name }) => `${name}.ts`)).toEqual(migrationFiles.sort())
})

test('primaryKeys in tables.ts has every table with its key, after the tables that it references', async () => {
  await using storage = await createTestStorage()
  using connection = connect(join(storage.dataDir, 'summit.db'), 'write')
  const tables = connection.prepare(
    `select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' and name not like 'kysely_%'`,
  )
  expect([...tableNames].sort()).toEqual(
    tables
      .all()
      .map(({ name }) => name)
      .sort(),
  )
  for (const [index, table] of tableNames.entries()) {
    const keys = connection.prepare(`select name from pragma_table_info('${table}') where pk > 0`).all()
    expect(keys, table).toEqual([{ name: primaryKeys[table] }])
    const references = connection.prepare(`select "table" as name from pragma_foreign_key_list('${table}')`).all()
    for (const { name } of references)
      expect(tableNames.slice(0, index), `${table} references ${name}, which must come before it`).toContain(name)
  }
})

test('a start that finds no migration table uses the one that another start creates meanwhile', async () => {
  await using storage = await createTestStorage()
  using connection = connect(join(storage.dataDir, 'summit.db'), 'write')
  connection.exec('alter table kysely_migration rename to not_yet')
  const prepare = connection.prepare.bind(connection)
  connection.prepare = (text) => {
    try {
      return prepare(text)
    } catch (error) {
      connection.exec('alter table not_yet rename to kysely_migration')
      throw error
    }
  }
  await migrate(createDb(connection))
  expect(connection.prepare('select count(*) as applied from kysely_migration').get()).toEqual({
    applied: migrationFiles.length,
  })
})

test('an interrupted migration leaves no trace, and is repeated', async () => {
  await using storage = await createTestStorage({ isMigrated: false })
  using connection = connect(join(storage.dataDir, 'summit.db'), 'write')
  const db = createDb(connection)
  const tables = () =>
    connection.prepare(`select name from sqlite_schema where type = 'table' and name not like 'kysely_%'`).all()
  connection.exec('create table event (id integer)')
  await expect(migrate(db)).rejects.toThrow('table "event" already exists')
  expect(tables()).toEqual([{ name: 'event' }])
  connection.exec('drop table event')
  await migrate(db)
  expect(tables().length).toBeGreaterThanOrEqual(tableNames.length)
})
