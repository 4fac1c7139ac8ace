import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type TestPlace, testAppIn, testPlace } from '../../../test/app.ts'
import { summitHere } from '../../../test/command.ts'
import { temporaryFolder } from '../../../test/faults/temporary-folder.ts'

// No new summit is created over the remains of one whose database is missing.

const contents = async ({ dataDir }: TestPlace) => (await readdir(dataDir, { recursive: true })).sort()

/** A summit with an uploaded file, whose database has been removed. */
async function lostPlace(): Promise<TestPlace> {
  const place = await testPlace()
  {
    await using t = await testAppIn(place)
    await t.client.createTopic({ name: 'Slides', created_by: 1 }, { files: [new File(['slides'], 'slides.txt')] })
  }
  for (const name of await readdir(place.dataDir)) if (name.startsWith('summit.db')) await rm(join(place.dataDir, name))
  return place
}

const messageFor = (dataDir: string, remains: string) =>
  `${dataDir} (DATA_DIR) has the ${remains} of a summit, but summit.db is missing or empty. Restore summit.db, or set ` +
  'DATABASE_URL if the database is on a server. To create a new summit, set another DATA_DIR or move the contents of this one elsewhere.'

test('a folder whose database is missing is left unchanged, and the error has the remedy', async () => {
  await using place = await lostPlace()
  const before = await contents(place)
  const line = messageFor(place.dataDir, 'signature.key and blobs/')
  await expect(testAppIn(place)).rejects.toThrow(line)

  await using elsewhere = await temporaryFolder()
  const people = join(elsewhere.dir, 'people.csv')
  await writeFile(people, 'email\na@x.example\n')
  for (const options of [[], ['--apply']])
    expect(await summitHere(['import', 'participants', people, ...options], place.settings)).toMatchObject({
      code: 1,
      err: `${line}\n`,
    })
  expect(await contents(place)).toEqual(before)
})

test('a folder whose database is an empty file, as after an interrupted restore, is left unchanged', async () => {
  await using place = await lostPlace()
  await writeFile(join(place.dataDir, 'summit.db'), '')
  const before = await contents(place)
  const line = messageFor(place.dataDir, 'signature.key and blobs/')
  await expect(testAppIn(place)).rejects.toThrow(line)
  for (const command of [
    ['export', 'events'],
    ['sweep', '--apply'],
  ])
    expect(await summitHere(command, place.settings)).toMatchObject({ code: 1, err: `${line}\n` })
  expect(await contents(place)).toEqual(before)
})

test('the folder of an instance with a database server is not used without DATABASE_URL', async () => {
  await using place = await lostPlace()
  await rm(join(place.dataDir, 'signature.key'))
  await expect(testAppIn(place)).rejects.toThrow(messageFor(place.dataDir, 'blobs/'))
})

test('a new summit is created in a folder with nothing but an empty mount point', async () => {
  await using place = await testPlace({ isMigrated: false })
  await mkdir(join(place.dataDir, 'blobs', 'lost+found'), { recursive: true })
  await using t = await testAppIn(place)
  expect((await t.client.listTopics({ offset: 0, limit: 1 })).NewsFeed).toEqual([])
})
