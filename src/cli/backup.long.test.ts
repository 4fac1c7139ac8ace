import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTestStorage, startTestAppOn, type TestApp, type TestStorage } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import * as make from '../../test/make.ts'
import { movedTables } from '../server/commands/move/tables.ts'

// Several backups of one summit, in one location.

const file = (text: string) => ({ name: 'notes.txt', data: Buffer.from(text).toString('base64') })

/** A served summit with a file, and a folder for its backups. */
async function world() {
  const stack = new AsyncDisposableStack()
  const storage = stack.use(await createTestStorage())
  const t = stack.use(await startTestAppOn(storage))
  const to = `${storage.dataDir}-backups`
  stack.defer(() => rm(to, { recursive: true, force: true }))
  await make.topic(t, { name: 'First', uploaded_files: [file('first')] })
  const backup = (...args: string[]) => runSummitInProcess(['backup', ...args, to], storage.settings)
  return { storage, t, to, backup, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

const objectsIn = async (to: string, pattern: RegExp) =>
  (await readdir(to, { recursive: true })).filter((name) => pattern.test(name)).map((name) => join(to, name))

const stored = /[0-9a-f]{64}$/

/** The hashes of all tables, as `backup show` prints them. */
const digests = (out: string) => out.match(/^ {2}\w+ +\d+ rows? {3}[0-9a-f]{16}$/gm)

/** All but the log, which says that the summit was restored. */
const recordDigests = (out: string) => digests(out)?.filter((line) => !line.startsWith('  change '))

test('files that the location already has are not sent again', async () => {
  await using w = await world()
  await w.backup()
  await make.topic(w.t, { name: 'Third', uploaded_files: [file('first'), file('third')] })
  expect(await w.backup()).toMatchObject({ code: 0, err: '' })
  expect(await objectsIn(w.to, stored)).toHaveLength(2)
})

test('a backup of a restored summit has the same rows, whichever engine it had', async () => {
  await using w = await world()
  await w.backup()
  const dataDir = `${w.storage.dataDir}-copy`
  const copy: TestStorage = { dataDir, settings: { DATA_DIR: dataDir }, [Symbol.asyncDispose]: async () => {} }
  try {
    await runSummitInProcess(['restore', w.to, '--apply'], copy.settings)
    const shown = await w.backup('show')
    // The copy is the same summit, so its backups may lie beside the others.
    expect(await runSummitInProcess(['backup', w.to], copy.settings)).toMatchObject({ code: 0, err: '' })
    const again = await w.backup('show')
    expect(again.out.split('\n')[0]).not.toBe(shown.out.split('\n')[0])
    expect(recordDigests(again.out)).toEqual(recordDigests(shown.out))
    expect(digests(shown.out)).toHaveLength(movedTables.length)
    expect(new Set(digests(shown.out)?.map((line) => line.indexOf(' row'))).size).toBe(1)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
})

test('manifests that cannot be read are named, and nothing is stored beside them', async () => {
  await using w = await world()
  await w.backup()
  const manifest = make.only(await objectsIn(w.to, /manifest\.json$/))
  await writeFile(manifest, (await readFile(manifest, 'utf8')).replace('First', 'Fierst').slice(0, -2))
  expect((await w.backup('list')).out).toContain('is truncated or was altered')
  const { code, err } = await w.backup()
  expect([code, err]).toEqual([1, expect.stringContaining('No backup in this location can be read: ')])
})

test('a verification that finds damage records it, and the next backup is a sound one', async () => {
  await using w = await world()
  await w.backup()
  expect(await w.backup('verify')).toMatchObject({ code: 0, err: '' })
  const database = make.only(await objectsIn(w.to, /\.db$/))
  const bytes = await readFile(database)
  await writeFile(database, 'x')
  expect(await w.backup('verify')).toMatchObject({ code: 1 })
  expect((await runSummitInProcess(['restore', w.to], w.storage.settings)).err).toContain('summit.db has changed since')
  await w.backup()
  const { out } = await w.backup('list')
  expect(out).toMatch(/^2 backups in .*\n.* files? .*MB\n.*DAMAGED: .*summit\.db has changed since/)
  expect(await w.backup('verify')).toMatchObject({ code: 0, err: '' })

  // The operator has copied the bytes back from elsewhere.
  await writeFile(database, bytes)
  const id = database.split('/').at(-2) ?? ''
  expect(await w.backup('verify', '--id', id)).toMatchObject({ code: 0, err: '' })
  expect((await w.backup('list')).out).not.toContain('DAMAGED')
})

test('a stored file that a verification found damaged is stored again by the next backup', async () => {
  await using w = await world()
  await w.backup()
  await writeFile(make.only(await objectsIn(w.to, stored)), 'wrong')
  expect(await w.backup('verify')).toMatchObject({ code: 1 })
  expect(await w.backup()).toMatchObject({ code: 0, err: '' })
  expect(await w.backup('verify')).toMatchObject({ code: 0, err: '' })
})

test('backups that the operator makes within an hour are all retained', async () => {
  await using w = await world()
  for (let nth = 0; nth < 2; nth++) await w.backup()
  expect((await w.backup('list')).out).toMatch(/^2 backups in /)
})

test('a missing file does not prevent a backup, which says so', async () => {
  await using w = await world()
  for (const blob of await make.blobs(w.t)) await rm(blob)
  const { code, out } = await w.backup()
  expect(code).toBe(0)
  expect(out).toContain('WARNING: Not in this backup: 1 file, missing or damaged in the summit:\n')
})

test('a location has the backups of one summit only', async () => {
  await using w = await world()
  await using other: TestApp & AsyncDisposable = await startTestAppOn(await createTestStorage())
  await make.topic(other)
  await w.backup()
  const { err } = await runSummitInProcess(['backup', w.to], other.settings)
  expect(err).toBe('This location has the backups of another summit. Choose another location.\n')
})
