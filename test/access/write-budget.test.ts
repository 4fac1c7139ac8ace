import { describe, expect, test } from 'vitest'
import { Settings } from '../../src/server/config/settings.ts'
import type { ParticipantId } from '../../src/server/core/ids.ts'
import { startTestApp } from '../app.ts'
import * as make from '../make.ts'
import { startAppWithKeys } from './app-with-keys.ts'
import { all, post, second, settings, successes, tooMany } from './write-budget.fixtures.ts'

describe.each(['public', 'members'] as const)('where ACCESS is %s, a participant who writes too fast', (access) => {
  test('gets 4290 with the time until the next write, while they read, and others write', async () => {
    await using t = await startAppWithKeys(access, settings)
    expect(await post(8, t.ana)).toEqual([...all(6, 1000), tooMany, tooMany])
    const refused = await t.ana.client.call('createTopic', { name: 'x' } as never)
    expect(refused.envelope.data).toMatchObject({ reason: 'TOO_MANY_WRITES' })
    expect(refused.headers.get('retry-after')).toBe('10')
    t.advance(4 * second)
    const again = await t.ana.client.call('likeTopic', { topic_id: 1, created_by: t.ana.participant })
    expect([again.envelope.response_code, again.headers.get('retry-after')]).toEqual([tooMany, '6'])
    expect((await t.ana.client.listTopics({ offset: 0, limit: 10 })).NewsFeed).toHaveLength(6)
    expect(await post(1, t.ben)).toEqual([1000])
    t.advance(6 * second)
    expect(await post(2, t.ana)).toEqual([1000, tooMany])
  })
})

test('with the default a participant posts sixty topics at once, and one each second from then on', async () => {
  const { default: WRITES_PER_MINUTE } = { default: undefined, ...Settings.properties.WRITES_PER_MINUTE }
  await using t = await startAppWithKeys('members', { WRITES_PER_MINUTE: String(WRITES_PER_MINUTE) })
  expect(successes(await post(70, t.ana))).toBe(60)
  t.advance(3 * second)
  expect(successes(await post(10, t.ana))).toBe(3)
  t.advance(60 * 60 * second)
  expect(successes(await post(70, t.ana))).toBe(60)
})

test('anyone writes as fast as they can where ACCESS is open, and where the budget is 0', async () => {
  await using open = await startTestApp({ ...settings, ACCESS: 'open' })
  const ana = (await make.participant(open)) as ParticipantId
  expect(await post(20, open, ana)).toEqual(all(20, 1000))
  await using t = await startAppWithKeys('members', { WRITES_PER_MINUTE: '0' })
  expect(await post(100, t.ana)).toEqual(all(100, 1000))
})

test('a repeated write takes nothing from the budget, and a rejected one does', async () => {
  await using t = await startAppWithKeys('members', settings)
  const repeated = { name: 'Lunch' } as never
  for (let n = 0; n < 10; n++)
    expect(await make.codeOf(t.ana.client.call('createTopic', repeated, { idempotencyKey: 'lunch' }))).toBe(1000)
  const invalid = await make.codeOf(t.ana.client.call('createTopic', { name: '' } as never))
  expect([invalid, ...(await post(5, t.ana))]).toEqual([4220, ...all(4, 1000), tooMany])
})
