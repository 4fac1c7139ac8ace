import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testPlace } from '../../../../test/app.ts'
import { migrate } from '../migrate.ts'
import { connect, createDb } from './connection.ts'

test('a start that finds no migration table uses the one that another start creates meanwhile', async () => {
  await using place = await testPlace()
  using connection = connect(join(place.dataDir, 'summit.db'), 'write')
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
  expect(connection.prepare('select count(*) as applied from kysely_migration').get()).toEqual({ applied: 4 })
})
