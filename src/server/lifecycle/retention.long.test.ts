import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { runSummitInProcess } from '../../../test/command.ts'
import * as make from '../../../test/make.ts'
import { page, peopleIn, startWithPeople } from './retention.fixtures.ts'
import { applyRetention, forgetNotice } from './retention.ts'

const dayMs = 24 * 60 * 60_000

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

test.each([
  ['2100-12-31', 'ok', 'all participants will be erased on 2101-01-01'],
  ['2020-12-31', 'warning', 'A server will erase all participants on '],
])('doctor says what becomes of a summit whose day is %s: %s', async (day, level, text) => {
  await using t = await startTestApp()
  const { out } = await runSummitInProcess(['doctor'], { ...t.settings, ERASE_PERSONAL_DATA_AFTER: day })
  expect(out).toMatch(new RegExp(`^${level} +privacy +${text}`, 'm'))
})
