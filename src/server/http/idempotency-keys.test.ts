import { describe, expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import * as make from '../../../test/make.ts'
import { key, lunch, replayedHeader, topics } from './idempotency.fixtures.ts'

describe('a key that was used before', () => {
  test.each([
    ['with another name', 'createTopic', { ...lunch, name: 'Dinner' }],
    ['with another member', 'createTopic', { ...lunch, body: 'Main hall' }],
    ['with another file', 'createTopic', { ...lunch, uploaded_files: ['https://cdn.summit.example/a.pdf'] }],
    ['with another author', 'createTopic', { ...lunch, created_by: 2 }],
    ['for another operation', 'updateTopic', { topic_id: 1, name: 'Lunch is served', created_by: 1 }],
    ['for a delete', 'deleteTopic', { topic_id: 1 }],
  ] as const)('is rejected %s, and the first write stays', async (_, operation, request) => {
    await using t = await startTestApp()
    await t.client.createTopic(lunch, key)
    const rejected = await t.client.call(operation, request as Parameters<typeof t.client.call>[1], key)
    expect(rejected.envelope).toMatchObject({ response_code: 4221, data: { reason: 'IDEMPOTENCY_KEY_REUSED' } })
    expect(await topics(t)).toEqual(['Lunch is served'])
    expect(replayedHeader(await t.client.call('createTopic', lunch, key))).toBe('true')
  })

  test('for one record is rejected for another', async () => {
    await using t = await startTestApp()
    await make.topic(t)
    await make.topic(t)
    await t.client.deleteTopic({ topic_id: 1 }, key)
    expect(await make.codeOf(t.client.call('deleteTopic', { topic_id: 2 }, key))).toBe(4221)
    expect(await topics(t)).toHaveLength(1)
  })

  test('is ignored by a read', async () => {
    await using t = await startTestApp()
    await t.client.createTopic(lunch, key)
    const read = await t.client.call('getTopic', { topic_id: 1 }, key)
    expect([read.envelope.response_code, replayedHeader(read)]).toEqual([1000, null])
  })
})

describe('a key', () => {
  test.each(['x', '~'.repeat(255), '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}'])('may be %s', async (idempotencyKey) => {
    await using t = await startTestApp()
    expect(await make.codeOf(t.client.call('createTopic', lunch, { idempotencyKey }))).toBe(1000)
    expect(replayedHeader(await t.client.call('createTopic', lunch, { idempotencyKey }))).toBe('true')
  })

  test.each(['', '~'.repeat(256), 'a b', 'a, b', 'caf\xe9'])('may not be %j', async (bad) => {
    await using t = await startTestApp()
    const rejected = await t.client.call('createTopic', lunch, { headers: { 'idempotency-key': bad } })
    expect(rejected.envelope).toMatchObject({
      response_code: 4220,
      data: { fields: [{ field: 'Idempotency-Key', in: 'header', reason: 'NOT_A_KEY' }] },
    })
    expect(await topics(t)).toEqual([])
  })
})

test('an invalid key, invalid members and an invalid path are reported together', async () => {
  await using t = await startTestApp()
  const path = '/api/newsfeeds/topics/none/update'
  const send = (body: string) => make.send(t, 'PUT', path, body, { 'idempotency-key': 'a b' })
  const fields = (...inBody: object[]) => [
    { field: 'topic_id', in: 'path', reason: 'NOT_AN_INTEGER' },
    ...inBody,
    { field: 'Idempotency-Key', in: 'header', reason: 'NOT_A_KEY' },
  ]
  expect(await send('{"name":"","uploaded_files":["x"]}')).toMatchObject({
    response_code: 4220,
    data: {
      fields: fields(
        { field: 'name', in: 'body', reason: 'BLANK' },
        { field: 'uploaded_files[0]', in: 'body', reason: 'NOT_A_FILE' },
      ),
    },
  })
  expect(await send('[]')).toMatchObject({
    response_code: 4220,
    data: { fields: fields({ field: '', in: 'body', reason: 'NOT_AN_OBJECT' }) },
  })
})
