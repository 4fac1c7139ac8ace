import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../test/app.ts'
import * as make from '../../../../test/make.ts'

/**
 * Stores rows while PostgreSQL takes its statistics, as it does whenever it pleases. It counts what is committed, so it
 * then expects to find a row or none in each table, and takes any plan to be as good as any other.
 */
const storeAnalyzed = ({ ctx: { database } }: TestApp, inserts: string[]) =>
  database.transaction(async (tx) => {
    for (const insert of inserts) await sql.raw(insert).execute(tx)
    await sql`analyze`.execute(database.read)
  })

const numbers = (count: number) => `generate_series(1, ${count}) as n`

const each = (count: number, value: number) => Array.from({ length: count }, () => value)

test('every list is answered though the server took its statistics while an import was storing it', async () => {
  await using t = await testApp()
  const all = 20_000
  await storeAnalyzed(t, [
    `insert into participant (created_at) select 1 from ${numbers(all)}`,
    `insert into topic (header, created_at) select 'Lunch is served', 1 from ${numbers(all)}`,
    `insert into topic_block select id / 4096, count(*) from topic group by 1`,
    `insert into comment (topic_id, comment, created_at) select n, 'On my way', 1 from ${numbers(all)}`,
    `insert into event (title, created_at) select 'Opening', 1 from ${numbers(all)}`,
    `insert into feedback (participant_id, created_at) select n, 1 from ${numbers(all)}`,
  ])
  const page = { offset: all - 1_000, limit: 50 }
  expect((await t.client.listParticipants(page)).participants).toHaveLength(page.limit)
  expect((await t.client.listTopics(page)).NewsFeed).toHaveLength(page.limit)
  expect((await t.client.listComments({ topic_id: 1, offset: 0, limit: 50 })).comments).toHaveLength(1)
  expect((await t.client.listEvents(page)).events).toHaveLength(page.limit)
  expect((await t.client.listFeedback(page)).feedbacks).toHaveLength(page.limit)
})

test('topics are answered with many comments though the server took its statistics meanwhile', async () => {
  await using t = await testApp()
  const [topics, commentsOfEach] = [340, 110]
  await storeAnalyzed(t, [
    `insert into topic (header, created_at) select 'Lunch is served', 1 from ${numbers(topics)}`,
    `insert into comment (topic_id, comment, created_at)
       select (n % ${topics}) + 1, 'On my way', 1 from ${numbers(topics * commentsOfEach)}`,
  ])
  const embedded = async (limit: number) =>
    (await t.client.listTopics({ offset: 0, limit })).NewsFeed.map(({ comments }) => comments.length)
  expect(await embedded(20)).toEqual(each(20, 100))
  expect(await embedded(50)).toEqual(each(50, 100))
  expect(await embedded(340)).toEqual(each(340, 14))
  expect(make.only((await t.client.getTopic({ topic_id: 1 })).NewsFeed).comments).toHaveLength(commentsOfEach)
})
