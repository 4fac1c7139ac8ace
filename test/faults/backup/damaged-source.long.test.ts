import { open, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { createTestStorage, startTestAppOn } from '../../app.ts'
import { runSummitInProcess } from '../../command.ts'
import * as make from '../../make.ts'
import { createTemporaryFolder } from '../../temporary-folder.ts'
import { createRandom } from '../random.ts'
import { objectsIn, startSummitWithBackups, textFile } from './summit-with-backups.ts'

/** A summit without a server, of so many topics that its tables take many pages. */
async function createSummit() {
  const storage = await createTestStorage()
  await using t = await startTestAppOn(storage)
  for (let n = 0; n < 60; n++) await make.topic(t, { name: `${n}`, content: 'x'.repeat(250) } as never)
  return storage
}

const pageBytes = 4096

/** Overwrites pages of the database, except the first one. */
async function damage(dataDir: string, seed: number): Promise<void> {
  const random = createRandom(seed)
  const path = join(dataDir, 'summit.db')
  const { size } = await stat(path)
  await using file = await open(path, 'r+')
  const first = random.int(1, size / pageBytes - 1)
  const pages = Math.min(random.int(1, 8), size / pageBytes - first)
  await file.write(random.bytes(pages * pageBytes), 0, pages * pageBytes, first * pageBytes)
}

test('a damaged database is not backed up, and the message says so', async () => {
  let refused = 0
  for (let seed = 1; seed <= 16; seed++) {
    await using storage = await createSummit()
    await using folder = await createTemporaryFolder()
    const to = join(folder.path, 'backups')
    await damage(storage.dataDir, seed)
    const { code, err } = await runSummitInProcess(['backup', to], storage.settings)
    if (code === 0) {
      // Only an index was damaged, which a copy rebuilds.
      const { out } = await runSummitInProcess(['backup', 'show', to], storage.settings)
      expect(out, `${seed}`).toMatch(/^ {2}topic +60 rows/m)
      continue
    }
    refused++
    expect(err, `${seed}`).toMatch(/^[^\n]*is (damaged|malformed)[^\n]*npm run summit -- check[^\n]*\n$/)
    expect((await objectsIn(to)).filter((path) => path.endsWith('manifest.json'))).toEqual([])
  }
  expect(refused).toBeGreaterThan(5)
})

test('a database whose rows refer to missing ones is not backed up, and the message says so', async () => {
  await using storage = await createSummit()
  await using folder = await createTemporaryFolder()
  const to = join(folder.path, 'backups')
  const database = new DatabaseSync(join(storage.dataDir, 'summit.db'), { enableForeignKeyConstraints: false })
  database.exec('insert into comment (topic_id, comment, created_at) values (999, 1, 1)')
  database.close()
  const { code, err } = await runSummitInProcess(['backup', to], storage.settings)
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(/^[^\n]*is (damaged|malformed)[^\n]*npm run summit -- check[^\n]*\n$/),
  ])
})

test('a stored file that was found damaged in a backup is stored again by the next one', async () => {
  await using summit = await startSummitWithBackups()
  await summit.backup()
  const [object = ''] = (await objectsIn(summit.to)).filter((path) => /[0-9a-f]{64}$/.test(path))
  const { size } = await stat(object)
  await writeFile(object, Buffer.alloc(size))
  expect(await summit.backup('verify')).toMatchObject({ code: 1 })
  await make.topic(summit.t, { name: 'fourth', uploaded_files: [textFile('fourth')] })
  expect(await summit.backup()).toMatchObject({ code: 0, err: '' })
  expect(await summit.backup('verify')).toMatchObject({ code: 0, err: '' })
})
