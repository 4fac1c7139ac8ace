import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTestStorage, startTestAppOn, type TestStorage } from '../../../../test/app.ts'
import { runSummitInProcess } from '../../../../test/command.ts'
import { createDataFolder } from '../../../../test/faults/create-data-folder.ts'

// No new summit is created over the remains of one whose database is missing.

const contents = async ({ dataDir }: TestStorage) => (await readdir(dataDir, { recursive: true })).sort()

/** A summit with an uploaded file, whose database has been removed. */
async function storageWithLostDatabase(): Promise<TestStorage> {
  const storage = await createTestStorage()
  {
    await using t = await startTestAppOn(storage)
    await t.client.createTopic({ name: 'Slides', created_by: 1 }, { files: [new File(['slides'], 'slides.txt')] })
  }
  for (const name of await readdir(storage.dataDir))
    if (name.startsWith('summit.db')) await rm(join(storage.dataDir, name))
  return storage
}

const messageFor = (dataDir: string, remains: string) =>
  `${dataDir} (DATA_DIR) has the ${remains} of a summit, but summit.db is missing or empty. Restore summit.db, or set ` +
  'DATABASE_URL if the database is on a server. To create a new summit, set another DATA_DIR or move the contents of this one elsewhere.'

test('a folder whose database is missing is left unchanged, and the error has the remedy', async () => {
  await using storage = await storageWithLostDatabase()
  const before = await contents(storage)
  const line = messageFor(storage.dataDir, 'signature.key and blobs/')
  await expect(startTestAppOn(storage)).rejects.toThrow(line)

  await using elsewhere = await createDataFolder()
  const people = join(elsewhere.dir, 'people.csv')
  await writeFile(people, 'email\na@x.example\n')
  for (const options of [[], ['--apply']])
    expect(await runSummitInProcess(['import', 'participants', people, ...options], storage.settings)).toMatchObject({
      code: 1,
      err: `${line}\n`,
    })
  expect(await contents(storage)).toEqual(before)
})

test('a folder whose database is an empty file, as after an interrupted restore, is left unchanged', async () => {
  await using storage = await storageWithLostDatabase()
  await writeFile(join(storage.dataDir, 'summit.db'), '')
  const before = await contents(storage)
  const line = messageFor(storage.dataDir, 'signature.key and blobs/')
  await expect(startTestAppOn(storage)).rejects.toThrow(line)
  for (const command of [
    ['export', 'events'],
    ['sweep', '--apply'],
  ])
    expect(await runSummitInProcess(command, storage.settings)).toMatchObject({ code: 1, err: `${line}\n` })
  expect(await contents(storage)).toEqual(before)
})

test('the folder of an instance with a database server is not used without DATABASE_URL', async () => {
  await using storage = await storageWithLostDatabase()
  await rm(join(storage.dataDir, 'signature.key'))
  await expect(startTestAppOn(storage)).rejects.toThrow(messageFor(storage.dataDir, 'blobs/'))
})

test('a new summit is created in a folder with nothing but an empty mount point', async () => {
  await using storage = await createTestStorage({ isMigrated: false })
  await mkdir(join(storage.dataDir, 'blobs', 'lost+found'), { recursive: true })
  await using t = await startTestAppOn(storage)
  expect((await t.client.listTopics({ offset: 0, limit: 1 })).NewsFeed).toEqual([])
})
