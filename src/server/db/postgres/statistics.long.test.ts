import { sql } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../test/app.ts'
import * as make from '../../../../test/make.ts'

/** So often, as PostgreSQL makes up its mind on the plan of a statement after five runs on a connection. */
const runs = 7

/** Pages are made from the database each time. */
const settings = { PAGE_CACHE_BYTES: '0' }

const tables = ['participant', 'topic', 'topic_block', 'comment', 'event', 'feedback', 'topic_like', 'file']

/**
 * Stores rows, and in the middle of it takes the statistics, as PostgreSQL does whenever it pleases. It counts what is
 * committed, so it then expects a row or none in each table, and takes any plan to be as good as any other.
 * @param later stored after it
 * @returns undone, takes statistics when it pleases again
 */
async function storeAnalyzed(t: TestApp, inserts: string[], later: string[] = []): Promise<AsyncDisposable> {
  const clients = [new pg.Client(t.settings.DATABASE_URL), new pg.Client(t.settings.DATABASE_URL)] as const
  const [storing, looking] = clients
  await Promise.all(clients.map((client) => client.connect()))
  const setting = (how: string) => tables.map((table) => `alter table ${table} ${how}`).join(';')
  await storing.query(setting('set (autovacuum_enabled = false)'))
  await storing.query('begin')
  for (const insert of inserts) await storing.query(insert)
  await looking.query(`analyze ${tables}`)
  for (const insert of later) await storing.query(insert)
  await storing.query('commit')
  return {
    [Symbol.asyncDispose]: async () => {
      await storing.query(setting('reset (autovacuum_enabled)'))
      await Promise.all(clients.map((client) => client.end()))
    },
  }
}

const numbers = (count: number) => `generate_series(1, ${count}) as n`

const each = (count: number, value: number) => Array.from({ length: count }, () => value)

test('every list is answered though the server took its statistics while an import was storing it', async () => {
  await using t = await testApp(settings)
  const all = 20_000
  await using _ = await storeAnalyzed(t, [
    `insert into participant (created_at) select 1 from ${numbers(all)}`,
    `insert into topic (header, created_at) select 'Lunch is served', 1 from ${numbers(all)}`,
    `insert into topic_like (topic_id, participant_id, created_at) select 1, n, 1 from ${numbers(all)}`,
    `insert into topic_block select id / 4096, count(*) from topic group by 1`,
    `insert into comment (topic_id, comment, created_at) select 1, 'On my way', 1 from ${numbers(all)}`,
    `insert into event (title, created_at) select 'Opening', 1 from ${numbers(all)}`,
    `insert into feedback (participant_id, created_at) select 1, 1 from ${numbers(all)}`,
  ])
  const page = { offset: all - 1_000, limit: 50 }
  for (let run = 0; run < runs; run++) {
    expect((await t.client.listParticipants(page)).participants).toHaveLength(page.limit)
    expect((await t.client.listTopics(page)).NewsFeed).toHaveLength(page.limit)
    expect(make.only((await t.client.getTopic({ topic_id: 1 })).NewsFeed).likes).toHaveLength(all)
    expect((await t.client.listComments({ topic_id: 1, ...page })).comments).toHaveLength(page.limit)
    expect((await t.client.listEvents(page)).events).toHaveLength(page.limit)
    expect((await t.client.listFeedback(page)).feedbacks).toHaveLength(page.limit)
    const ofOne = { participant_id: 1, ...page }
    expect((await t.client.listFeedbackOfParticipant(ofOne)).feedbacks).toHaveLength(page.limit)
  }
})

test('topics are answered with many comments though the server took its statistics meanwhile', async () => {
  await using t = await testApp(settings)
  const [topics, commentsOfEach] = [340, 110]
  await using _ = await storeAnalyzed(t, [
    `insert into participant (created_at) select 1 from ${numbers(20_000)}`,
    `insert into topic (header, created_at) select 'Lunch is served', 1 from ${numbers(topics)}`,
    `insert into comment (topic_id, comment, created_at, created_by)
       select (n % ${topics}) + 1, 'On my way', 1, n % 20000 from ${numbers(topics * commentsOfEach)}`,
  ])
  const embedded = async (limit: number) =>
    (await t.client.listTopics({ offset: 0, limit })).NewsFeed.map(({ comments }) => comments.length)
  for (let run = 0; run < runs; run++) {
    expect(await embedded(20)).toEqual(each(20, 100))
    expect(await embedded(50)).toEqual(each(50, 100))
    expect(await embedded(340)).toEqual(each(340, 14))
    const details = make.only((await t.client.getTopic({ topic_id: 1 })).NewsFeed)
    expect(details.comments).toHaveLength(commentsOfEach)
  }
})

test('comments are answered with their files though the server has seen those of a few only', async () => {
  await using t = await testApp(settings)
  const [topics, commentsOfEach, commentsWithFiles] = [50, 110, 3]
  await make.topic(t)
  for (let nth = 0; nth < commentsWithFiles; nth++) await make.comment(t, { topic_id: 1 })
  const files = (count: number) =>
    `insert into file (comment_id, link, file_type, created_at)
       select n % ${commentsWithFiles} + 1, 'https://x.example/', 'text/html', 1 from ${numbers(count)}`
  await t.ctx.database.transaction((tx) => sql.raw(files(60)).execute(tx))
  await using _ = await storeAnalyzed(
    t,
    [],
    [
      `insert into topic (header, created_at) select 'Lunch is served', 1 from ${numbers(topics)}`,
      `insert into comment (topic_id, comment, created_at)
         select n % ${topics} + 2, 'On my way', 1 from ${numbers(topics * commentsOfEach)}`,
      files(18_000 - 60),
    ],
  )
  const filesOf = (comments: { uploaded_files: object[] }[]) => comments.map((one) => one.uploaded_files.length)
  for (let run = 0; run < runs; run++) {
    for (const { comments } of (await t.client.listTopics({ offset: 0, limit: topics })).NewsFeed)
      expect(filesOf(comments)).toEqual(each(100, 0))
    const details = make.only((await t.client.getTopic({ topic_id: 1 })).NewsFeed)
    expect(filesOf(details.comments)).toEqual(each(commentsWithFiles, 6_000))
  }
})
