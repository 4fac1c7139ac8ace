import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTemporaryFolder } from '../../../../../test/temporary-folder.ts'
import { throwUncaught } from '../../../core/errors.ts'
import { migrateDatabase, openDatabase } from '../open.ts'
import { connect } from './connection.ts'
import { scrub } from './scrub.ts'

test('a database of 20 MB is rebuilt while others write', async () => {
  await using folder = await createTemporaryFolder()
  const target = { kind: 'folder', dir: folder.path } as const
  await migrateDatabase(target)
  const database = await openDatabase(target, throwUncaught)
  const write = (body: string) =>
    database.transaction((tx) => tx.insertInto('topic').values({ header: 'T', body, created_at: 1 }).execute())
  for (let nth = 0; nth < 2_000; nth++) await write('x'.repeat(10_000))
  let isDone = false
  const writing = (async () => {
    while (!isDone) await Promise.all([write('later'), sleep(10)])
  })()
  try {
    for (let nth = 0; nth < 4; nth++) await database.scrub()
  } finally {
    isDone = true
    await writing
    await database.close()
  }
})

test('while somebody reads for long, the database is not rebuilt, and writes hardly wait', async () => {
  await using folder = await createTemporaryFolder()
  const file = join(folder.path, 'summit.db')
  using writer = connect(file, 'write')
  writer.exec("create table note(text text); insert into note values ('a'); pragma busy_timeout = 1000")
  const deleted = () => writer.exec("insert into note values ('b'); delete from note where text = 'b'")
  using reader = connect(file, 'read')
  reader.exec('begin; select * from note')
  deleted()
  const scrubbing = scrub(file, throwUncaught).then(
    () => 'scrubbed',
    () => 'in use',
  )
  let outcome: string | undefined
  scrubbing.then((result) => {
    outcome = result
  })
  while (outcome === undefined) {
    deleted()
    await sleep(20)
  }
  expect(outcome).toBe('in use')
  reader.exec('commit')
  await scrub(file, throwUncaught)
})
