import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startOtherServer } from '../../../../test/app.ts'
import { runSummitInProcess } from '../../../../test/command.ts'
import { holdWrites } from '../../../../test/databases.ts'
import * as make from '../../../../test/make.ts'
import { dayMs, hourMs } from '../../core/time-units.ts'
import { look, lookDaily, page, peopleIn, startWithPeople } from './retention.fixtures.ts'

// The operator sets a day after which all participants are erased. Tests start on 2030-05-01.

test('all participants are erased once the day has passed, after warnings on 14 days before', async () => {
  await using t = await startWithPeople({ ERASE_PERSONAL_DATA_AFTER: '2030-05-31', TIMEZONE: 'Asia/Tokyo' })
  const on = '2030-06-01'
  expect(await look(t)).toEqual({ state: 'planned', on, warnings: [] })
  const planned = await lookDaily(t, 16)
  expect(planned.map(({ state, warnings }) => [state, ...warnings])).toEqual(planned.map(() => ['planned']))
  const announced = await lookDaily(t, 14)
  expect(announced).toEqual(
    announced.map((_, day) => ({ state: 'announced', on, warnings: [{ on, warningsLeft: 13 - day }] })),
  )
  // 23:59 in Tokyo.
  t.advance((5 * 60 + 59) * 60_000)
  expect(await look(t)).toEqual({ state: 'announced', on, warnings: [] })
  expect(await peopleIn(t)).toBe(2)
  await writeFile(join(t.dataDir, 'summit-before-0005.db'), 'Ana')
  t.advance(60_000)
  expect(await look(t)).toMatchObject({ state: 'erased' })
  expect(await peopleIn(t)).toBe(0)
  expect(await t.client.listTopics(page)).toEqual({ NewsFeed: [] })
  expect(await t.client.listFeedback(page)).toEqual({ feedbacks: [] })
  expect(await make.blobs(t)).toEqual([])
  if (t.settings.DATABASE_URL === undefined)
    expect((await readdir(t.dataDir)).filter((name) => name.startsWith('summit-before'))).toEqual([])
  expect(await runSummitInProcess(['check'], t.settings)).toMatchObject({ code: 0, err: '' })
})

test.each([
  ['a year ahead', 365],
  ['a year behind', -365],
  ['ahead by a day and an hour', 1 + 1 / 24],
])('after all warnings, a clock that is suddenly %s erases nobody, and is reported', async (_, days) => {
  await using t = await startWithPeople({ ERASE_PERSONAL_DATA_AFTER: '2030-05-02' })
  await look(t)
  await lookDaily(t, 13)
  expect(await peopleIn(t)).toBe(2)
  t.advance(days * dayMs + hourMs)
  const { state, warnings } = await look(t)
  expect([state === 'erased', warnings]).toEqual([false, [{ before: expect.any(Date), now: expect.any(Date) }]])
  t.advance(hourMs)
  expect((await look(t)).warnings).toEqual([])
  expect(await peopleIn(t)).toBe(2)
})

test.each([
  ['a day at every look', dayMs, hourMs],
  ['50 minutes at every look', hourMs - 10 * 60_000, 10 * 60_000],
])('a clock that is set forward by %s while a server runs gains no day of notice', async (_, set, passed) => {
  await using t = await startWithPeople({ ERASE_PERSONAL_DATA_AFTER: '2030-05-02' })
  const left: (number | undefined)[] = []
  for (let shown = 0; shown < 20 * dayMs; shown += set + passed) {
    left.push(...(await look(t)).warnings.map(({ warningsLeft }) => warningsLeft))
    t.setClock(set)
    t.advance(passed)
  }
  expect(left.filter((warnings) => warnings !== undefined)).toEqual([13])
  expect(await peopleIn(t)).toBe(2)
})

test('a clock that two jobs of a server find set is reported once, and gives notice again after a day', async () => {
  await using t = await startWithPeople({ ERASE_PERSONAL_DATA_AFTER: '2030-05-02' })
  await look(t)
  t.setClock(20 * hourMs)
  t.advance(hourMs)
  const looks = await Promise.all([look(t), look(t)])
  expect(looks.flatMap(({ warnings }) => warnings)).toEqual([{ before: expect.any(Date), now: expect.any(Date) }])
  t.advance(23 * hourMs)
  expect((await look(t)).warnings).toEqual([])
  t.advance(hourMs)
  expect((await look(t)).warnings).toMatchObject([{ warningsLeft: 12 }])
})

test('a clock that is a year ahead at the second start erases nobody before 14 daily warnings', async () => {
  await using t = await startWithPeople({ ERASE_PERSONAL_DATA_AFTER: '2031-03-31' })
  expect(await look(t)).toMatchObject({ state: 'planned' })
  t.advance(365 * dayMs)
  expect(await look(t)).toMatchObject({ state: 'announced', warnings: [{ before: expect.any(Date) }] })
  const days = await lookDaily(t, 14)
  expect(days.map(({ state, warnings }) => [state, warnings.length])).toEqual(days.map(() => ['announced', 1]))
  expect(await peopleIn(t)).toBe(2)
  expect(await lookDaily(t, 1)).toMatchObject([{ state: 'erased' }])
})

test('warnings of a clock that was a year ahead for ten days do not count once it is set', async () => {
  await using t = await startWithPeople({ ERASE_PERSONAL_DATA_AFTER: '2030-06-30' })
  await look(t)
  t.advance(365 * dayMs)
  await look(t)
  expect((await lookDaily(t, 10)).at(-1)).toMatchObject({ warnings: [{ warningsLeft: 4 }] })
  t.advance(-365 * dayMs)
  expect(await look(t)).toMatchObject({ state: 'planned' })
  // No server runs until the day has nearly come.
  t.advance(48 * dayMs)
  await look(t)
  const days = await lookDaily(t, 15)
  expect(days.filter(({ warnings }) => warnings.length > 0)).toHaveLength(14)
  expect(days.findIndex(({ state }) => state === 'erased')).toBe(14)
})

test('nobody is erased while the ledger cannot be written', async () => {
  await using t = await startWithPeople({ ERASE_PERSONAL_DATA_AFTER: '2030-05-02' })
  const ledger = join(t.dataDir, 'ledger')
  await look(t)
  await lookDaily(t, 13)
  await rm(ledger, { force: true })
  await mkdir(ledger)
  await expect(lookDaily(t, 1)).rejects.toThrow()
  expect(await peopleIn(t)).toBe(2)
  await rm(ledger, { recursive: true })
  expect(await look(t)).toMatchObject({ state: 'erased' })
})

test('days without a server postpone the erasure, as no warnings are logged', async () => {
  await using t = await startWithPeople({ ERASE_PERSONAL_DATA_AFTER: '2030-05-02' })
  await look(t)
  await lookDaily(t, 9)
  t.advance(30 * dayMs)
  expect(await look(t)).toMatchObject({ state: 'announced', on: '2030-06-14' })
  expect((await lookDaily(t, 4)).map(({ warnings }) => warnings[0]?.warningsLeft)).toEqual([3, 2, 1, 0])
  expect(await peopleIn(t)).toBe(2)
  expect(await lookDaily(t, 1)).toMatchObject([{ state: 'erased' }])
})

test('of several looks on a day, by several servers, one warns and counts', async () => {
  await using t = await startWithPeople({ ERASE_PERSONAL_DATA_AFTER: '2030-05-02' })
  await using other = await startOtherServer(t)
  for (const server of [t, other, t, other]) {
    await look(server)
    t.advance(hourMs)
  }
  const left: (number | undefined)[] = []
  for (let day = 0; day < 3; day++) {
    t.advance(20 * hourMs)
    for (const server of [other, t]) left.push((await look(server)).warnings[0]?.warningsLeft)
  }
  expect(left).toEqual([12, undefined, 11, undefined, 10, undefined])
})

test('a log that shows no warnings gives no notice, and nobody is erased', async () => {
  await using t = await startWithPeople({ ERASE_PERSONAL_DATA_AFTER: '2030-05-02', LOG_LEVEL: 'error' })
  await lookDaily(t, 40)
  expect(await peopleIn(t)).toBe(2)
})

test('a look just after another waits for no other write', async () => {
  await using t = await startWithPeople({ ERASE_PERSONAL_DATA_AFTER: '2030-05-31' })
  await look(t)
  const release = await holdWrites(t)
  expect(await look(t)).toMatchObject({ state: 'planned' })
  await release()
})

test('a participant who is added after the erasure stays', async () => {
  await using t = await startWithPeople({ ERASE_PERSONAL_DATA_AFTER: '2030-05-02' })
  await lookDaily(t, 16)
  expect(await peopleIn(t)).toBe(0)
  await make.participant(t)
  expect(await look(t)).toMatchObject({ state: 'erased' })
  expect(await peopleIn(t)).toBe(1)
})

test('an interrupted erasure goes on at the next look', async () => {
  await using t = await startWithPeople({ ERASE_PERSONAL_DATA_AFTER: '2030-05-02' })
  await lookDaily(t, 14)
  t.advance(dayMs)
  // Asked before stored responses are deleted, and before each participant.
  let asked = 0
  expect(await look(t, () => ++asked > 2)).toMatchObject({ state: 'due' })
  expect(await peopleIn(t)).toBe(1)
  expect(await look(t)).toMatchObject({ state: 'erased' })
  expect(await peopleIn(t)).toBe(0)
})

test('without the setting nothing is ever erased', async () => {
  await using t = await startWithPeople({})
  await lookDaily(t, 100)
  expect(await look(t)).toMatchObject({ state: 'disabled' })
  expect(await peopleIn(t)).toBe(2)
})
