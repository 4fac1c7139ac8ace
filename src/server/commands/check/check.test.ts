import { open, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { createTestStorage, startTestAppOn, type TestStorage } from '../../../../test/app.ts'
import { runSummitInProcess } from '../../../../test/command.ts'
import * as make from '../../../../test/make.ts'

// `summit check` on a database file; for stored files see `src/cli/check.test.ts`.

/** Overwrites bytes of a file without changing its size. */
async function overwrite(file: string, at: number, bytes: Buffer): Promise<void> {
  await using handle = await open(file, 'r+')
  await handle.write(bytes, 0, bytes.length, at)
}

async function stoppedSummit(): Promise<TestStorage> {
  const storage = await createTestStorage()
  await using t = await startTestAppOn(storage)
  await make.topic(t, { uploaded_files: [{ name: 'a.txt', data: 'SGVsbG8=' }] })
  await make.comment(t, { topic_id: 1 })
  return storage
}

test('a check does not change the files of a summit without a server', async () => {
  await using storage = await stoppedSummit()
  const file = join(storage.dataDir, 'summit.db')
  const before = [await readFile(file), await readdir(storage.dataDir, { recursive: true })]
  expect((await runSummitInProcess(['check'], storage.settings)).out).toContain('Nothing is damaged or missing.')
  expect([await readFile(file), await readdir(storage.dataDir, { recursive: true })]).toEqual(before)
})

test('overwritten pages are found while a server runs that had read them before', async () => {
  await using storage = await stoppedSummit()
  const file = join(storage.dataDir, 'summit.db')
  await using _ = await startTestAppOn(storage)
  await overwrite(file, 4_096, Buffer.alloc((await readFile(file)).length - 4_096, 0xa5))

  const { code, out, err } = await runSummitInProcess(['check'], storage.settings)

  expect([code, err]).toEqual([1, ''])
  expect(out).toContain('\n  The table topic cannot be read: database disk image is malformed\n')
  expect(out).toContain('Some files were not checked because their rows cannot be read.\n')
})

test('a file that is not a database is reported', async () => {
  await using storage = await stoppedSummit()
  await overwrite(join(storage.dataDir, 'summit.db'), 0, Buffer.alloc(100, 'x'))
  const { code, out } = await runSummitInProcess(['check'], storage.settings)
  expect(code).toBe(1)
  expect(out).toContain('\n  The database cannot be checked: file is not a database\n')
})

test('rows that refer to missing rows are listed', async () => {
  await using storage = await stoppedSummit()
  {
    using database = new DatabaseSync(join(storage.dataDir, 'summit.db'), { enableForeignKeyConstraints: false })
    database.exec('delete from topic')
  }
  const { code, out } = await runSummitInProcess(['check'], storage.settings)
  expect(code).toBe(1)
  expect(out).toContain('\n  comment 1: the topic that it belongs to does not exist\n')
})
