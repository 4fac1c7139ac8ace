import { describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import * as make from '../../../test/make.ts'
import { dataTextOf, key, replayedHeader } from './idempotency.fixtures.ts'

describe('the response of a write with a key', () => {
  const long = 'x'.repeat(5_000)
  const change = { comment_id: 1, comment: `${long}!` }
  const topic = (t: TestApp) => t.client.call('getTopic', { topic_id: 1 })
  const writes = [
    { write: 'likeTopic', request: { topic_id: 1, created_by: 1 }, read: topic, reason: 'TOPIC_NOT_FOUND' },
    { write: 'updateTopic', request: { topic_id: 1, name: 'Late lunch' }, read: topic, reason: 'TOPIC_NOT_FOUND' },
    {
      write: 'updateComment',
      request: change,
      read: (t: TestApp) => t.client.call('getComment', { comment_id: 1 }),
      reason: 'COMMENT_NOT_FOUND',
    },
  ] as const

  const send = (t: TestApp, { write, request }: (typeof writes)[number]) =>
    t.client.call(write, request as Parameters<typeof t.client.call>[1], key)

  async function appWithComment(comment: string): Promise<TestApp> {
    const t = await startTestApp()
    await make.participant(t)
    await make.topic(t)
    await make.comment(t, { topic_id: 1, comment })
    return t
  }

  test.each(writes)(
    'of thousands of characters is not stored: a retry of $write reads the current state',
    async (one) => {
      await using t = await appWithComment(long)
      const first = await send(t, one)
      expect(await t.ctx.database.read.selectFrom('idempotency').select('data').execute()).toEqual([{ data: '' }])
      await t.client.updateTopic({ topic_id: 1, name: 'Lunch is over' })
      await t.client.updateComment({ comment_id: 1, comment: `${long}?` })
      t.advance(60_000)

      const second = await send(t, one)

      expect([replayedHeader(first), replayedHeader(second)]).toEqual([null, 'true'])
      const now = await one.read(t)
      expect(second.text).toBe(now.text)
      expect(dataTextOf(first.text)).not.toBe(dataTextOf(now.text))
      expect(await t.ctx.database.read.selectFrom('change').select('kind').execute()).toHaveLength(6)
    },
  )

  test.each(writes)('of thousands of characters fails like a read once its record is deleted: $write', async (one) => {
    await using t = await appWithComment(long)
    await send(t, one)
    await t.client.deleteTopic({ topic_id: 1 })
    const again = await send(t, one)
    expect(again.envelope).toMatchObject({ response_code: 4040, data: { reason: one.reason } })
    expect(replayedHeader(again)).toBeNull()
  })

  test('to a like has 100 comments, also when it is repeated', async () => {
    await using t = await appWithComment('The first')
    for (let nth = 0; nth < 100; nth++) await make.comment(t, { topic_id: 1 })
    const first = await send(t, writes[0])
    expect(first.text).not.toContain('The first')
    const second = await send(t, writes[0])
    expect(replayedHeader(second)).toBe('true')
    expect(dataTextOf(second.text)).toBe(dataTextOf(first.text))
  })

  test('that is short is stored, and replayed even after the topic is deleted', async () => {
    await using t = await appWithComment('On my way')
    const first = await send(t, writes[0])
    await t.client.deleteTopic({ topic_id: 1 })
    const second = await send(t, writes[0])
    expect(replayedHeader(second)).toBe('true')
    expect(dataTextOf(second.text)).toBe(dataTextOf(first.text))
  })
})
