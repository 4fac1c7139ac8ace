import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runSummitInProcess } from '../../../test/command.ts'
import { holdWrites } from '../../../test/databases.ts'
import * as make from '../../../test/make.ts'
import { page, peopleIn, startWithPeople } from './retention.fixtures.ts'
import { applyRetention } from './retention.ts'

// The operator sets a day after which all participants are erased. Tests start on 2030-05-01.

const dayMs = 24 * 60 * 60_000

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
  expect(await runSummitInProcess(['check'], t.settings)).toMatchObject({ code: 0, err: '' })
})

test('a look before the day, once notice is given, waits for no other write', async () => {
  await using t = await startWithPeople({ ERASE_PERSONAL_DATA_AFTER: '2030-05-31' })
  await applyRetention(t.ctx)
  const release = await holdWrites(t)
  expect(await applyRetention(t.ctx)).toMatchObject({ state: 'planned' })
  await release()
})

test('a participant who is added after the erasure stays', async () => {
  await using t = await startWithPeople({ ERASE_PERSONAL_DATA_AFTER: '2030-05-31' })
  await applyRetention(t.ctx)
  t.advance(40 * dayMs)
  await applyRetention(t.ctx)
  await make.participant(t)
  expect(await applyRetention(t.ctx)).toEqual({ state: 'erased' })
  expect(await peopleIn(t)).toBe(1)
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
