import { spawnSync } from 'node:child_process'
import { cp, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { createTestStorage, startTestAppOn, type TestStorage } from '../../../test/app.ts'
import * as make from '../../../test/make.ts'

// A start without the stored files warns the operator, who would otherwise only learn of it from failed responses.

const link = 'https://summit.example/slides'

/** The newest upload is a link, which has no stored bytes. */
async function storageWithFiles(): Promise<TestStorage> {
  const storage = await createTestStorage()
  await using t = await startTestAppOn(storage)
  for (const name of ['first.txt', 'second.txt'])
    await t.client.createTopic({ name, created_by: 1 }, { files: [new File([name], name)] })
  await t.client.createTopic({ name: 'Elsewhere', created_by: 1, uploaded_files: [link] })
  return storage
}

/** Standard error of a start, up to the end of its check of the stored files. */
async function warningsOf(storage: TestStorage): Promise<unknown[]> {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  try {
    await (await startTestAppOn(storage))[Symbol.asyncDispose]()
    return logged.mock.calls.flat()
  } finally {
    logged.mockRestore()
  }
}

test('a start without the files of the summit warns, and removes no other files found there', async () => {
  await using storage = await storageWithFiles()
  expect(await warningsOf(storage)).toEqual([])

  const blobs = join(storage.dataDir, 'blobs')
  const [files, away] = [join(blobs, 'kept', 'files'), join(storage.dataDir, 'away')]
  await rename(files, away)
  await mkdir(files)
  // Pending: either stored by a process that died before it could commit the row, or a file of another summit.
  await writeFile(join(files, 'stranger'), 'stored')
  await writeFile(join(blobs, 'unnamed', `${spawnSync('true').pid}-files~stranger`), '')
  expect(await warningsOf(storage)).toEqual([
    expect.stringMatching(/^WARNING: files\/\S+, the newest file of this summit, is missing from \S+ \(DATA_DIR\)\. /),
  ])
  expect(await readdir(files)).toEqual(['stranger'])

  await cp(away, files, { recursive: true })
  expect(await warningsOf(storage)).toEqual([])
  expect(await readdir(files)).not.toContain('stranger')
})

test.each(['banner', 'photo'] as const)('a start without the newest %s warns', async (kind) => {
  await using storage = await createTestStorage()
  {
    await using t = await startTestAppOn(storage)
    const key = `program/1/${kind}.png`
    await make.event(t)
    const staged = await t.ctx.blobs.stage([Buffer.from('picture')], 100)
    await staged.store(key)
    await t.ctx.database.transaction((tx) =>
      tx
        .updateTable('event')
        .set({ [kind]: key })
        .execute(),
    )
    await make.event(t)
  }
  expect(await warningsOf(storage)).toEqual([])

  await rm(join(storage.dataDir, 'blobs'), { recursive: true })
  expect(await warningsOf(storage)).toEqual([
    expect.stringMatching(
      /^WARNING: program\/1\/\S+, the newest picture of this summit, is missing from \S+ \(DATA_DIR\)\. /,
    ),
  ])
})
