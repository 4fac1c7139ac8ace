import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testPlace } from '../../../test/app.ts'
import { migrate } from './migrate.ts'
import { connect, queries } from './sqlite/connection.ts'

test('a start that finds no history, while another is just beginning it, goes by the history of the other', async () => {
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
  await migrate(queries(connection))
  expect(connection.prepare('select count(*) as applied from kysely_migration').get()).toEqual({ applied: 3 })
})
