import { describe, expect, test } from 'vitest'
import { createTestStorage, startTestApp, startTestAppOn } from '../../../test/app.ts'
import { holdWrites } from '../../../test/databases.ts'
import * as make from '../../../test/make.ts'
import { deleteIfSteady } from '../lifecycle/schedules/delete-ended.ts'
import { dataTextOf, key, lunch, replayedHeader, topics } from './idempotency.fixtures.ts'

const day = 24 * 60 * 60 * 1000

describe('a write that is retried with its key', () => {
  test('gets its first response, and is executed once', async () => {
    await using t = await startTestApp()
    const first = await t.client.call('createTopic', lunch, key)
    await t.client.updateTopic({ topic_id: 1, name: 'Lunch is over' })
    t.advance(60_000)

    const second = await t.client.call('createTopic', lunch, key)

    expect([replayedHeader(first), replayedHeader(second)]).toEqual([null, 'true'])
    expect(second.envelope.response_code).toBe(1000)
    // Identical text, so that the digest in the signature is the same; only the timestamp differs.
    expect(dataTextOf(second.text)).toBe(dataTextOf(first.text))
    expect(second.envelope.system.created_at).toBe('2030-05-01 09:01:00')
    expect(await topics(t)).toEqual(['Lunch is over'])
    expect(await t.ctx.database.read.selectFrom('change').select('kind').execute()).toHaveLength(2)
  })

  test('is executed twice without a key', async () => {
    await using t = await startTestApp()
    await t.client.createTopic(lunch)
    await t.client.createTopic(lunch)
    expect(await topics(t)).toHaveLength(2)
  })

  test('reports a delete as done, not as not found', async () => {
    await using t = await startTestApp()
    await make.topic(t)
    const responses = [
      await t.client.call('deleteTopic', { topic_id: 1 }, key),
      await t.client.call('deleteTopic', { topic_id: 1 }, key),
    ]
    expect(responses.map(replayedHeader)).toEqual([null, 'true'])
    for (const { envelope } of responses)
      expect(envelope).toMatchObject({
        response_code: 2000,
        data: { message: 'Deleted Topic Id: 1' },
        system: { message: 'Redirected', redirect_url: 1002 },
      })
    expect(await make.codeOf(t.client.call('deleteTopic', { topic_id: 1 }))).toBe(4040)
  })

  test('is the same write in any encoding', async () => {
    await using t = await startTestApp()
    const path = '/api/newsfeeds/topics/create'
    const form = new FormData()
    form.append('created_by', '1')
    form.append('name', 'Lunch is served')
    const bodies = [
      JSON.stringify(lunch),
      '{ "created_by": "1", "unknown": true, "name": "Lunch is served", "body": null }',
      new URLSearchParams({ created_by: '1', name: 'Lunch is served', uploaded_files: '' }),
      form,
    ]
    const responses = []
    for (const body of bodies)
      responses.push(await make.send(t, 'POST', path, body, { 'idempotency-key': key.idempotencyKey }))
    expect(responses.map(replayedHeader)).toEqual([null, 'true', 'true', 'true'])
    expect(await topics(t)).toHaveLength(1)
  })

  test('is recognized after a restart', async () => {
    await using storage = await createTestStorage()
    for (const replayed of [null, 'true']) {
      await using t = await startTestAppOn(storage)
      expect(replayedHeader(await t.client.call('createTopic', lunch, key))).toBe(replayed)
      expect(await topics(t)).toHaveLength(1)
    }
  })

  test('is a new write after 24 hours, and not before', async () => {
    await using t = await startTestApp()
    await t.client.createTopic(lunch, key)
    t.advance(day - 1)
    expect(replayedHeader(await t.client.call('createTopic', lunch, key))).toBe('true')
    t.advance(1)
    expect(replayedHeader(await t.client.call('createTopic', lunch, key))).toBeNull()
    expect(await topics(t)).toHaveLength(2)
    t.advance(day)
    expect(await make.codeOf(t.client.call('createTopic', { ...lunch, name: 'Another day' }, key))).toBe(1000)
    expect(await t.ctx.database.read.selectFrom('idempotency').select('key').execute()).toHaveLength(1)
  })

  test('has its response deleted after 24 hours, but not while the clock may be wrong', async () => {
    await using t = await startTestApp()
    const countStored = async () => (await t.ctx.database.read.selectFrom('idempotency').select('key').execute()).length
    const row = { fingerprint: '', response_code: 1000, data: '{}', created_at: t.ctx.clock() }
    await t.ctx.database.transaction(async (tx) => {
      for (let nth = 0; nth < 250; nth++)
        await tx
          .insertInto('idempotency')
          .values({ ...row, key: `old-${nth}` })
          .execute()
    })
    const log = { warn: () => {} }
    await deleteIfSteady(t.ctx, log)
    t.advance(3 * day)
    await t.client.createTopic(lunch, key)
    await deleteIfSteady(t.ctx, log)
    expect(await countStored()).toBe(251)
    t.advance(-3 * day)
    await deleteIfSteady(t.ctx, log)
    expect(replayedHeader(await t.client.call('createTopic', lunch, key))).toBe('true')
    for (const expected of [251, 0]) {
      t.advance(day / 2)
      await deleteIfSteady(t.ctx, log)
      expect(await countStored()).toBe(expected)
    }
  })

  test('is executed once among concurrent requests', async () => {
    await using t = await startTestApp()
    const responses = await Promise.all(Array.from({ length: 20 }, () => t.client.call('createTopic', lunch, key)))
    const codes = responses.map(({ envelope }) => envelope.response_code)
    expect(codes.filter((code) => code !== 1000 && code !== 4091)).toEqual([])
    expect(
      responses.filter((response) => response.envelope.response_code === 1000 && !replayedHeader(response)),
    ).toHaveLength(1)
    expect(await topics(t)).toHaveLength(1)
  })

  test('is rejected with Retry-After while the first is in progress, and gets its response after that', async () => {
    await using t = await startTestApp()
    const releaseWrites = await holdWrites(t)
    // The first to arrive waits for the lock, and the other is rejected immediately.
    const both = [t.client.call('createTopic', lunch, key), t.client.call('createTopic', lunch, key)]
    const rejected = await Promise.race(both)
    expect(rejected.envelope).toMatchObject({ response_code: 4091, data: { reason: 'IDEMPOTENCY_KEY_IN_FLIGHT' } })
    expect(rejected.headers.get('retry-after')).toBe('1')
    await releaseWrites()
    const codes = (await Promise.all(both)).map(({ envelope }) => envelope.response_code)
    expect(codes.sort()).toEqual([1000, 4091])
    expect(replayedHeader(await t.client.call('createTopic', lunch, key))).toBe('true')
    expect(await topics(t)).toHaveLength(1)
  })
})

describe('a failure is not stored: the same key may be retried', () => {
  test('once the missing record exists', async () => {
    await using t = await startTestApp()
    const comment = { topic_id: 1, comment: 'On my way', created_by: 1 }
    expect(await make.codeOf(t.client.call('createComment', comment, key))).toBe(4040)
    await make.topic(t)
    const second = await t.client.call('createComment', comment, key)
    expect([second.envelope.response_code, replayedHeader(second)]).toEqual([1000, null])
  })

  test('once the invalid member is corrected', async () => {
    await using t = await startTestApp()
    expect(await make.codeOf(t.client.call('createTopic', { ...lunch, name: ' ' }, key))).toBe(4220)
    expect(await make.codeOf(t.client.call('createTopic', lunch, key))).toBe(1000)
  })
})

describe('a write with files', () => {
  const text = (content: string, name = 'a.txt') => new File([content], name, { type: 'text/plain' })

  test('gets its first response on a retry, and leaves no blobs behind', async () => {
    await using t = await startTestApp()
    const files = [text('Hello'), text('Hallo', 'b.txt')]
    const first = await t.client.call('createTopic', lunch, { ...key, files })
    const second = await t.client.call('createTopic', lunch, { ...key, files })
    expect(replayedHeader(second)).toBe('true')
    expect(dataTextOf(second.text)).toBe(dataTextOf(first.text))
    await expect.poll(async () => (await make.blobs(t)).length).toBe(2)
    expect(await t.ctx.database.read.selectFrom('file').select('id').execute()).toHaveLength(2)
  })

  test.each([
    ['other bytes', [text('Hallo')]],
    ['another name', [text('Hello', 'b.txt')]],
    ['another type', [new File(['Hello'], 'a.txt', { type: 'text/html' })]],
    ['another file', [text('Hello'), text('Hello')]],
    ['no file', []],
  ])('is another request with %s', async (_, files) => {
    await using t = await startTestApp()
    await t.client.createTopic(lunch, { ...key, files: [text('Hello')] })
    expect(await make.codeOf(t.client.call('createTopic', lunch, { ...key, files }))).toBe(4221)
    await expect.poll(async () => (await make.blobs(t)).length).toBe(1)
  })
})
