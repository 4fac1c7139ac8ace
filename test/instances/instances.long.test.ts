import { expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { startTestApp } from '../app.ts'
import { holdWrites } from '../databases.ts'
import * as make from '../make.ts'
import { expectLogInOrder, expectReadYourWrites, lunch, setUpFourInstances } from './four-instances.ts'

const instances = setUpFourInstances()

test('each instance lists a topic as soon as another has acknowledged it, for 15 topics of each', () =>
  expectReadYourWrites(instances(), 15))

test('a reader of the change log misses none of 80 rows that four instances write', () =>
  expectLogInOrder(instances(), 20))

test('likes, deletes and comments that race leave one like, one delete and no comment without a topic', async () => {
  const { client, clients } = instances()
  for (let n = 0; n < 10; n++) {
    const topic_id = Number(make.only((await client(0).createTopic(lunch)).NewsFeed).id)
    const liked = await Promise.all(
      clients().map((client) => make.codeOf(client.call('likeTopic', { topic_id, created_by: 5 }))),
    )
    expect(liked).toEqual([1000, 1000, 1000, 1000])
    expect(make.only((await client(1).getTopic({ topic_id })).NewsFeed).likes).toHaveLength(1)

    const [oneDelete, otherDelete, comment] = await Promise.all([
      make.codeOf(client(0).call('deleteTopic', { topic_id })),
      make.codeOf(client(1).call('deleteTopic', { topic_id })),
      make.codeOf(client(2).call('createComment', { topic_id, comment: 'x', created_by: 1 })),
    ])
    expect([oneDelete, otherDelete].sort()).toEqual([2000, 4040])
    expect([1000, 4040]).toContain(comment)
  }
})

test('a write that waits too long for another process gets UNAVAILABLE within five seconds', async () => {
  await using t = await startTestApp()
  const release = await holdWrites(t)
  const started = performance.now()
  const { envelope, headers } = await createClient(t.url).call('createTopic', lunch)
  expect(envelope).toMatchObject({ response_code: 5030, data: { reason: 'UNAVAILABLE' } })
  expect([headers.get('retry-after'), performance.now() - started < 5_000]).toEqual(['1', true])
  await release()
  expect(await make.codeOf(t.client.call('createTopic', lunch))).toBe(1000)
})
