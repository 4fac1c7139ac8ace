import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { runSummitInProcess } from '../../../test/command.ts'
import * as make from '../../../test/make.ts'
import { applyRetention, forgetNotice } from './retention.ts'

// The operator sets a day after which all participants are erased. Tests start on 2030-05-01.

const dayMs = 24 * 60 * 60_000
const page = { offset: 0, limit: 100 }
const file = { name: 'a.txt', data: 'R3LD' }

async function startWithPeople(settings: Record<string, string>): Promise<TestApp> {
  const t = await startTestApp(settings)
  const ana = await make.participant(t, { email: 'ana@x.org' })
  const ben = await make.participant(t, { first_name: 'Ben' })
  await make.topic(t, { created_by: ana, name: 'Of Ana', uploaded_files: [file] })
  await t.client.addFeedback({ participant_id: ben, comments: 'Of Ben' })
  await t.ctx.database.transaction((tx) =>
    tx.updateTable('participant').set({ is_deleted: 1 }).where('first_name', '=', 'Ben').execute(),
  )
  return t
}

const peopleIn = async ({ ctx }: TestApp) =>
  (await ctx.database.read.selectFrom('participant').select('first_name').execute()).length

test('all participants are erased once the day has passed, with 14 days of warnings before', async () => {
  await using t = await startWithPeople({ ERASE_PERSONAL_DATA_AFTER: '2030-05-31', TIMEZONE: 'Asia/Tokyo' })
  const on = '2030-06-01'
  expect(await applyRetention(t.ctx)).toEqual({ state: 'planned', on })
  t.advance(17 * dayMs)
  expect(await applyRetention(t.ctx)).toEqual({ state: 'announced', on })
  // 23:59 in Tokyo.
  t.advance(13 * dayMs + (5 * 60 + 59) * 60_000)
  expect(await applyRetention(t.ctx)).toEqual({ state: 'announced', on })
  expect(await peopleIn(t)).toBe(2)
  await writeFile(join(t.dataDir, 'summit-before-0005.db'), 'Ana')
  t.advance(60_000)
  expect(await applyRetention(t.ctx)).toEqual({ state: 'erased' })
  expect(await peopleIn(t)).toBe(0)
  expect(await t.client.listTopics(page)).toEqual({ NewsFeed: [] })
  expect(await t.client.listFeedback(page)).toEqual({ feedbacks: [] })
  expect(await make.blobs(t)).toEqual([])
  if (t.settings.DATABASE_URL === undefined)
    expect((await readdir(t.dataDir)).filter((name) => name.startsWith('summit-before'))).toEqual([])
  expect(await runSummitInProcess(['check'], t.settings)).toMatchObject({ code: 0 })
})

test('who registers after that stays', async () => {
  await using t = await startWithPeople({ ERASE_PERSONAL_DATA_AFTER: '2030-05-31' })
  await applyRetention(t.ctx)
  t.advance(40 * dayMs)
  await applyRetention(t.ctx)
  await make.participant(t)
  expect(await applyRetention(t.ctx)).toEqual({ state: 'erased' })
  expect(await peopleIn(t)).toBe(1)
})

test('a day that has passed when it is set erases nothing for 14 days', async () => {
  await using t = await startWithPeople({ ERASE_PERSONAL_DATA_AFTER: '2029-05-31' })
  const on = '2030-05-15'
  for (let day = 1; day < 15; day++) {
    expect(await applyRetention(t.ctx)).toEqual({ state: 'announced', on })
    t.advance(dayMs)
  }
  expect(await peopleIn(t)).toBe(2)
  expect(await applyRetention(t.ctx)).toEqual({ state: 'erased' })
})

test('a day that was unset in the meantime, and is set again, has its whole notice again', async () => {
  await using t = await startWithPeople({ ERASE_PERSONAL_DATA_AFTER: '2030-05-31' })
  await applyRetention(t.ctx)
  t.advance(300 * dayMs)
  await forgetNotice(t.ctx.database)
  expect(await applyRetention(t.ctx)).toMatchObject({ state: 'announced' })
  expect(await peopleIn(t)).toBe(2)
})

test('with ERASE_POSTS=keep the posts stay without a name and without files', async () => {
  await using t = await startWithPeople({ ERASE_PERSONAL_DATA_AFTER: '2030-05-02', ERASE_POSTS: 'keep' })
  await applyRetention(t.ctx)
  t.advance(20 * dayMs)
  await applyRetention(t.ctx)
  const { content, author } = make.only((await t.client.listTopics(page)).NewsFeed)
  expect([content.header, content.uploaded_files, author.name]).toEqual(['Of Ana', [], ' '])
})

test('an interrupted erasure goes on at the next look', async () => {
  await using t = await startWithPeople({ ERASE_PERSONAL_DATA_AFTER: '2030-05-02' })
  await applyRetention(t.ctx)
  t.advance(20 * dayMs)
  let asked = 0
  expect(await applyRetention(t.ctx, () => ++asked > 1)).toMatchObject({ state: 'due' })
  expect(await peopleIn(t)).toBe(1)
  expect(await applyRetention(t.ctx)).toEqual({ state: 'erased' })
  expect(await peopleIn(t)).toBe(0)
})

test('without the setting nothing is ever erased', async () => {
  await using t = await startWithPeople({})
  t.advance(9_000 * dayMs)
  expect(await applyRetention(t.ctx)).toEqual({ state: 'kept' })
  expect(await peopleIn(t)).toBe(2)
})

test.each([
  ['2100-12-31', 'ok', 'all participants will be erased on 2101-01-01'],
  ['2020-12-31', 'warning', 'A server will erase all participants on '],
])('doctor says what becomes of a summit whose day is %s: %s', async (day, level, text) => {
  await using t = await startTestApp()
  const { out } = await runSummitInProcess(['doctor'], { ...t.settings, ERASE_PERSONAL_DATA_AFTER: day })
  expect(out).toMatch(new RegExp(`^${level} +privacy +${text}`, 'm'))
})
