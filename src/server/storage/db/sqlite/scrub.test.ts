import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTemporaryFolder } from '../../../../../test/temporary-folder.ts'
import { throwUncaught } from '../../../core/errors.ts'
import { connect } from './connection.ts'
import { scrub } from './scrub.ts'

// Rows that grow and shrink are moved between pages, and SQLite leaves copies of them behind.

test('nothing is left of deleted rows, while others have the database open', async () => {
  await using folder = await createTemporaryFolder()
  const file = join(folder.path, 'summit.db')
  using writer = connect(file, 'write')
  writer.exec('create table note(id integer primary key, is_own integer, text text)')
  using reader = connect(file, 'read')
  const insert = writer.prepare('insert into note(is_own, text) values (?, ?)')
  const update = writer.prepare('update note set text = ? where id = ?')
  let state = 3
  const random = (below: number) => {
    state = (state * 48_271) % (2 ** 31 - 1)
    return Math.floor((state / (2 ** 31 - 1)) * below)
  }
  const text = (id: number) => (id % 5 === 0 ? 'deleted' : 'another').repeat(1 + random(400))
  writer.exec('begin')
  for (let id = 1; id <= 2_000; id++) insert.run(Number(id % 5 === 0), text(id))
  for (let nth = 0; nth < 6_000; nth++) {
    const id = 1 + random(2_000)
    update.run(text(id), id)
  }
  writer.exec('commit; delete from note where is_own = 1')
  const bytes = async () => Buffer.concat([await readFile(file), await readFile(`${file}-wal`)])
  expect((await bytes()).includes('deleted')).toBe(true)
  await scrub(file, throwUncaught)
  expect((await bytes()).includes('deleted')).toBe(false)
  expect(reader.prepare('select count(*) as notes from note').get()).toEqual({ notes: 1_600 })
  insert.run(0, 'later')
})

test('a deleted value is overwritten in place, also in a database that is too large to be rebuilt', async () => {
  await using folder = await createTemporaryFolder()
  const file = join(folder.path, 'summit.db')
  using writer = connect(file, 'write')
  writer.exec("create table note(text text); insert into note values ('deleted'); pragma wal_checkpoint(truncate)")
  expect((await readFile(file)).includes('deleted')).toBe(true)
  writer.exec('delete from note; pragma wal_checkpoint(truncate)')
  expect((await readFile(file)).includes('deleted')).toBe(false)
})
