import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type TestPlace, testAppIn, testPlace } from '../../../test/app.ts'
import { summitHere } from '../../../test/command.ts'
import { temporaryFolder } from '../../../test/faults/temporary-folder.ts'

// Where a summit has been, no other takes its place because its database is not there.

const contents = async ({ dataDir }: TestPlace) => (await readdir(dataDir, { recursive: true })).sort()

/** A summit with a file, whose database is gone. */
async function lostPlace(): Promise<TestPlace> {
  const place = await testPlace()
  {
    await using t = await testAppIn(place)
    await t.client.createTopic({ name: 'Slides', created_by: 1 }, { files: [new File(['slides'], 'slides.txt')] })
  }
  for (const name of await readdir(place.dataDir)) if (name.startsWith('summit.db')) await rm(join(place.dataDir, name))
  return place
}

const sentence = (dataDir: string, found: string) =>
  `${dataDir} (DATA_DIR) holds ${found} of a summit, but no summit.db, or an empty one. Restore summit.db, or set ` +
  'DATABASE_URL if the database is on a server; to begin a new summit set another DATA_DIR, or move what is in this one away.'

test('a folder that has lost its database is left as it is, and what to do is one line', async () => {
  await using place = await lostPlace()
  const before = await contents(place)
  const line = sentence(place.dataDir, 'signature.key and blobs/')
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

test('so is one whose database is an empty file, as a restore that was cut off leaves it', async () => {
  await using place = await lostPlace()
  await writeFile(join(place.dataDir, 'summit.db'), '')
  const before = await contents(place)
  const line = sentence(place.dataDir, 'signature.key and blobs/')
  await expect(testAppIn(place)).rejects.toThrow(line)
  for (const command of [
    ['export', 'events'],
    ['sweep', '--apply'],
  ])
    expect(await summitHere(command, place.settings)).toMatchObject({ code: 1, err: `${line}\n` })
  expect(await contents(place)).toEqual(before)
})

test('so is the folder of instances whose database is on a server, when DATABASE_URL is forgotten', async () => {
  await using place = await lostPlace()
  await rm(join(place.dataDir, 'signature.key'))
  await expect(testAppIn(place)).rejects.toThrow(sentence(place.dataDir, 'blobs/'))
})

test('a folder that has nothing of a summit begins one, whatever is mounted there', async () => {
  await using place = await testPlace({ isMigrated: false })
  await mkdir(join(place.dataDir, 'blobs', 'lost+found'), { recursive: true })
  await using t = await testAppIn(place)
  expect((await t.client.listTopics({ offset: 0, limit: 1 })).NewsFeed).toEqual([])
})
