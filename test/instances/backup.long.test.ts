import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startTestAppOn, type TestApp, type TestStorage } from '../app.ts'
import { runSummitInProcess } from '../command.ts'
import { createEmptyDatabase } from '../databases.ts'
import { chooseSeed, createRandom, type Random } from '../faults/random.ts'
import * as make from '../make.ts'
import { createTemporaryFolder } from '../temporary-folder.ts'

// A summit on one engine, restored to the other one and back again.

const topics = 150

/** Any characters of Unicode that clients may send, with control characters and NULs among them. */
const textOf = (random: Random): string =>
  Array.from({ length: random.int(1, 40) }, () => {
    const [low, high] = random.pick([
      [0, 0x1f],
      [0x20, 0x7e],
      [0x80, 0xd7ff],
      [0xe000, 0xffff],
      [0x10000, 0x10ffff],
    ] as const) as readonly [number, number]
    return String.fromCodePoint(random.int(low, high))
  }).join('')

/** Creates random records, of which clients may be refused some. @returns how many topics there are */
async function createRecords(t: TestApp, random: Random): Promise<number> {
  for (let n = 0; n < 20; n++) await make.participant(t, { first_name: textOf(random).replaceAll('\0', '') })
  let created = 0
  for (let n = 0; n < topics; n++) {
    const files = Array.from({ length: random.int(0, 2) }, () => {
      const bytes = random.bytes(random.int(0, 20_000))
      return new File([bytes], `${n}.bin`)
    })
    const made = await t.client.call('createTopic', { name: `${n} ${textOf(random)}`, created_by: n + 1 }, { files })
    if (made.envelope.response_code !== 1000) continue
    const topic_id = ++created
    await t.client.call('createComment', { topic_id, comment: textOf(random), created_by: 1 })
    await t.client.call('likeTopic', { topic_id, created_by: random.int(1, 9) })
    await t.client.call('addFeedback', { created_by: 1, comments: textOf(random), quality: '5' })
    if (random.chance(0.2)) await t.client.call('deleteTopic', { topic_id })
  }
  return created
}

/** Of all tables but the change log, to which a restore appends a row. */
const digestsIn = (out: string) => out.match(/^ {2}(?!change )\w+ +\d+ rows {3}[0-9a-f]{16}$/gm)

test('a backup of SQLite is restored to PostgreSQL and one of that to SQLite, with the same rows and files', async () => {
  const seed = chooseSeed()
  await using folder = await createTemporaryFolder()
  const database = await createEmptyDatabase()
  if (!database) throw new Error('this test needs PostgreSQL')
  const storage = (name: string, settings: Record<string, string> = {}): TestStorage => {
    const dataDir = join(folder.path, name)
    return { dataDir, settings: { DATA_DIR: dataDir, ...settings }, [Symbol.asyncDispose]: async () => {} }
  }
  const stations = [storage('first'), storage('second', { DATABASE_URL: database.url }), storage('third')]
  const [first, ...others] = stations as [TestStorage, ...TestStorage[]]
  {
    await using t = await startTestAppOn(first)
    expect(await createRecords(t, createRandom(seed)), `FAULT_SEED=${seed}`).toBeGreaterThan(topics / 2)
  }
  const shown: unknown[] = []
  let from = first
  for (const [n, to] of others.entries()) {
    const place = join(folder.path, `backups-${n}`)
    expect(await runSummitInProcess(['backup', place], from.settings)).toMatchObject({ code: 0, err: '' })
    expect(await runSummitInProcess(['restore', place, '--apply'], to.settings)).toMatchObject({ code: 0, err: '' })
    expect(await runSummitInProcess(['check'], to.settings)).toMatchObject({ code: 0, err: '' })
    const { out } = await runSummitInProcess(['backup', 'show', place], to.settings)
    shown.push({ digests: digestsIn(out), files: /holds .* (\d+ files)/.exec(out)?.[1] })
    from = to
  }
  expect(shown[1], `FAULT_SEED=${seed}`).toEqual(shown[0])
  await using t = await startTestAppOn(from)
  // Ids go on after the restored ones.
  const newest = (await t.client.listTopics({ offset: 0, limit: 1 })).NewsFeed[0]
  expect(Number((await make.topic(t)).id)).toBeGreaterThan(Number(newest?.id))
})
