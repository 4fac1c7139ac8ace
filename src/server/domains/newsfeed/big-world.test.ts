import type { TObject } from 'typebox'
import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startOfTest, startTestApp, type TestApp } from '../../../../test/app.ts'
import { examples, operationOf, reads } from '../../../../test/contract/examples.ts'
import { fillTables, recordTables } from '../../../../test/fill-tables.ts'
import { SuccessEnvelope } from '../../../contract/envelope.ts'
import { type Input, type JsonOperationName, operations, type SpecifiedOperationName } from '../../../contract/index.ts'
import type { EventId, ParticipantId, TopicId } from '../../core/ids.ts'
import type { Db, NewRow, RecordTable, Tables } from '../../storage/db/tables.ts'

// A summit large enough for the largest pages that the documented limits allow.

const size = {
  participants: 5_000,
  topics: 1_000,
  /** Together more comments than an engine allows variables in a statement (32,766). */
  topicsWithComments: 400,
  commentsOfEach: 100,
  commentsOfOne: 1_500,
  /** Of one topic, by as many people. */
  likes: 33_000,
  events: 2_000,
  feedback: 2_000,
}
/** The first topic is discussed, the second liked, the last ones have their 100 comments each. */
const [discussed, liked] = [1 as TopicId, 2 as TopicId]

const audit = { created_at: startOfTest, created_by: 1 as ParticipantId }
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

async function insert<T extends keyof Tables>(db: Db, table: T, rows: NewRow<T>[]): Promise<void> {
  for (let at = 0; at < rows.length; at += 1_000)
    await db
      .insertInto(table)
      .values(rows.slice(at, at + 1_000))
      .execute()
}

async function fill(db: Db): Promise<void> {
  const commented = numbers(size.topicsWithComments).map((n) => (size.topics + 1 - n) as TopicId)
  const commentsOf = (topic_id: TopicId, count: number) =>
    numbers(count).map((n) => ({ topic_id, comment: `Comment ${n}`, ...audit, created_by: n as ParticipantId }))
  await insert(
    db,
    'participant',
    numbers(size.participants).map((n) => ({ first_name: 'Ana', last_name: `Cruz ${n}`, ...audit })),
  )
  await insert(
    db,
    'topic',
    numbers(size.topics).map((n) => ({ header: `Topic ${n}`, ...audit, created_by: n as ParticipantId })),
  )
  await insert(db, 'comment', [
    ...commentsOf(discussed, size.commentsOfOne),
    ...commented.flatMap((topic) => commentsOf(topic, size.commentsOfEach)),
  ])
  await insert(
    db,
    'topic_like',
    // The latest are by participants who exist.
    numbers(size.likes)
      .reverse()
      .map((n) => ({ topic_id: liked, participant_id: n as ParticipantId, ...audit })),
  )
  await insert(
    db,
    'event',
    numbers(size.events).map((n) => ({
      title: `Talk ${n}`,
      date_from: '2030-05-02 09:00:00',
      date_to: null,
      ...audit,
    })),
  )
  const activity = { date: '2030-05-02', time: '09:00:00', title: 'Doors' }
  await insert(
    db,
    'activity',
    numbers(size.events).flatMap((n) => [1, 2].map(() => ({ event_id: n as EventId, ...activity }))),
  )
  await insert(
    db,
    'feedback',
    numbers(size.feedback).map((n) => ({ participant_id: (n % 2) as ParticipantId, comments: 'Fine', ...audit })),
  )
  const notes = (event: number) => JSON.stringify([{ event, changes: ['retitled'] }])
  await insert(
    db,
    'revision',
    numbers(largestPage.limit).map((n) => ({ at: startOfTest, kind: 'edit', command: '', file: '', notes: notes(n) })),
  )
  const filled: RecordTable[] = ['participant', 'topic', 'comment', 'topic_like', 'event', 'activity', 'feedback']
  await fillTables(
    db,
    largestPage.limit,
    recordTables.filter((table) => !filled.includes(table)),
  )
}

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
  await t.ctx.database.transaction(fill)
}, 60_000)
afterAll(() => t[Symbol.asyncDispose]())

const largestPage = { offset: 0, limit: 1_000 }
type SpecifiedName = JsonOperationName & SpecifiedOperationName
type Case = { [N in SpecifiedName]: [name: N, input: Input<N>, records: number] }[SpecifiedName]

/** The largest page of every list. */
const lists = reads.flatMap((name): Case[] =>
  'limit' in operationOf(name).params.properties
    ? // The type of an input depends on the name, which is that of any list here.
      [[name, { ...examples[name].params, ...largestPage }, 1_000] as Case]
    : [],
)

/** Requests to the ends of long lists, and to the records that embed one. */
const others: Case[] = [
  ['listTopics', { offset: 900, limit: 1_000 }, 100],
  ['getTopic', { topic_id: liked }, 1],
  ['getTopic', { topic_id: discussed }, 1],
  ['getTopic', { topic_id: size.topics }, 1],
  ['listComments', { topic_id: discussed, offset: 1_000, limit: 1_000 }, 500],
  ['getComment', { comment_id: 1 }, 1],
  ['listEvents', { offset: 1_000, limit: 1_000 }, 1_000],
  ['listParticipants', { offset: 4_000, limit: 1_000 }, 1_000],
]

test.each([...lists, ...others])('%s %o returns %i records that match the contract', async (name, request, records) => {
  const { envelope, text } = await t.client.call(name, request as never)
  expect(envelope).toMatchObject({ response_code: 1000 })
  const data: TObject = operations[name].data
  expect(Compile(SuccessEnvelope(data)).Check(JSON.parse(text))).toBe(true)
  expect(Object.values(envelope.data)[0]).toHaveLength(records)
})

test('a topic shows the latest 5,000 of its 33,000 likes, and the latest 1,000 of its comments', async () => {
  const topicOf = async (topic_id: number) => (await t.client.getTopic({ topic_id })).NewsFeed[0]
  const { likes = [] } = (await topicOf(liked)) ?? {}
  expect(likes).toHaveLength(5_000)
  expect([likes[0]?.name, likes.at(-1)?.name]).toEqual(['Ana Cruz 5000', 'Ana Cruz 1'])
  const { comments = [] } = (await topicOf(discussed)) ?? {}
  expect([comments.length, comments.at(-1)?.comment]).toEqual([1_000, 'Comment 1500'])
})
