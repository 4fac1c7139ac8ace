import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/app.ts'
import { runSummitInProcess } from '../../../../test/command.ts'
import * as make from '../../../../test/make.ts'
import { dayMs } from '../../core/time-units.ts'
import { look, lookDaily, newLog, page, peopleIn, startWithPeople } from './retention.fixtures.ts'
import { applyRetention, forgetNotice } from './retention.ts'
import { lookAtClock } from './seen-clock.ts'

test('a day that has passed when it is set erases nothing for 14 days', async () => {
  await using t = await startWithPeople({ ERASE_PERSONAL_DATA_AFTER: '2029-05-31' })
  const on = '2030-05-15'
  for (const outcome of [await look(t), ...(await lookDaily(t, 13))])
    expect(outcome).toMatchObject({ state: 'announced', on, warnings: [{ on }] })
  expect(await peopleIn(t)).toBe(2)
  expect(await lookDaily(t, 1)).toMatchObject([{ state: 'erased' }])
})

test('a day that was unset in the meantime, and is set again, has its whole notice again', async () => {
  await using t = await startWithPeople({ ERASE_PERSONAL_DATA_AFTER: '2030-05-02' })
  await lookDaily(t, 13)
  await forgetNotice(t.ctx.database)
  expect(await lookDaily(t, 1)).toMatchObject([{ state: 'announced', warnings: [{ warningsLeft: 13 }] }])
  expect(await peopleIn(t)).toBe(2)
})

test('with ERASE_POSTS=keep the posts stay without a name and without files', async () => {
  await using t = await startWithPeople({ ERASE_PERSONAL_DATA_AFTER: '2030-05-02', ERASE_POSTS: 'keep' })
  await lookDaily(t, 15)
  const { content, author } = make.only((await t.client.listTopics(page)).NewsFeed)
  expect([content.header, content.uploaded_files, author.name]).toEqual(['Of Ana', [], ' '])
})

test.each([
  [{ ERASE_PERSONAL_DATA_AFTER: '2100-12-31' }, 'ok', 'all participants will be erased on 2101-01-01, after 14 more '],
  [
    { ERASE_PERSONAL_DATA_AFTER: '2020-12-31' },
    'warning',
    'A server will erase all participants on [-0-9]+, after 14 ',
  ],
  [{ ERASE_PERSONAL_DATA_AFTER: '2020-12-31', LOG_LEVEL: 'error' }, 'warning', 'LOG_LEVEL=error hides the warnings '],
])('doctor says what becomes of a summit with %j: %s', async (settings, level, text) => {
  await using t = await startTestApp()
  const { out } = await runSummitInProcess(['doctor'], { ...t.settings, ...settings })
  expect(out).toMatch(new RegExp(`^${level} +privacy +${text}`, 'm'))
})

test('doctor says how many warnings are left after one', async () => {
  await using t = await startTestApp()
  const { config } = t.ctx
  await applyRetention(
    { ...t.ctx, clock: Date.now, config: { ...config, logLevel: 'warn', erasePersonalDataAfter: '2020-12-31' } },
    newLog(),
  )
  const { out } = await runSummitInProcess(['doctor'], { ...t.settings, ERASE_PERSONAL_DATA_AFTER: '2020-12-31' })
  expect(out).toContain(', after 13 more warnings in the log, each on another day. To prevent it, ')
})

test('doctor warns of a clock that is more than a day behind one with which a server ran', async () => {
  await using t = await startTestApp()
  await lookAtClock({ ...t.ctx, clock: () => Date.now() + 2 * dayMs }, newLog())
  const { out } = await runSummitInProcess(['doctor'], t.settings)
  expect(out).toMatch(
    /^warning +clock +The clock of this machine says .*, but a server ran at .*: it is wrong now, or was /m,
  )
})
