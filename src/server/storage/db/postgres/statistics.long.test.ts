import { sql } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'
import { requestLimit, startTestApp, type TestApp } from '../../../../../test/app.ts'
import * as make from '../../../../../test/make.ts'

/** PostgreSQL decides on a generic plan for a statement after five runs on a connection. */
const runs = 7

/** Every response is read from the database, in the time of a request. */
const startApp = () => startTestApp({ PAGE_CACHE_BYTES: '0' }, requestLimit)

const tables = ['participant', 'topic', 'topic_block', 'comment', 'event', 'feedback', 'topic_like', 'file']

/**
 * Stores rows, and updates the statistics meanwhile, as autovacuum may. It counts only committed rows, so the server
 * then expects at most one row in each table, and considers all plans equal.
 * @param later stored after the statistics were taken
 * @returns its disposal enables autovacuum again
 */
async function storeWithStaleStatistics(t: TestApp, inserts: string[], later: string[] = []): Promise<AsyncDisposable> {
  const clients = [new pg.Client(t.settings.DATABASE_URL), new pg.Client(t.settings.DATABASE_URL)] as const
  const [storing, analyzing] = clients
  await Promise.all(clients.map((client) => client.connect()))
  const alterTables = (change: string) => tables.map((table) => `alter table ${table} ${change}`).join(';')
  await storing.query(alterTables('set (autovacuum_enabled = false)'))
  await storing.query('begin')
  for (const insert of inserts) await storing.query(insert)
  await analyzing.query(`analyze ${tables}`)
  for (const insert of later) await storing.query(insert)
  await storing.query('commit')
  return {
    [Symbol.asyncDispose]: async () => {
      await storing.query(alterTables('reset (autovacuum_enabled)'))
      await Promise.all(clients.map((client) => client.end()))
    },
  }
}

const numbers = (count: number) => `generate_series(1, ${count}) as n`

const each = (count: number, value: number) => Array.from({ length: count }, () => value)

test('every list is served although the statistics were taken during the import', async () => {
  await using t = await startApp()
  const all = 20_000
  await using _ = await storeWithStaleStatistics(t, [
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
    expect((await t.client.readFeed(page)).posts).toHaveLength(page.limit)
    expect((await t.client.readThread({ topic_id: 1, ...page })).comments).toHaveLength(page.limit)
    expect((await t.client.searchParticipants({ q: 'ana', ...page })).participant_count).toBe(0)
    expect(make.only((await t.client.getTopic({ topic_id: 1 })).NewsFeed).likes).toHaveLength(5_000)
    expect((await t.client.listComments({ topic_id: 1, ...page })).comments).toHaveLength(page.limit)
    expect((await t.client.listEvents(page)).events).toHaveLength(page.limit)
    expect((await t.client.listFeedback(page)).feedbacks).toHaveLength(page.limit)
    const ofOne = { participant_id: 1, ...page }
    expect((await t.client.listFeedbackOfParticipant(ofOne)).feedbacks).toHaveLength(page.limit)
  }
})

test('topics with many comments are served although the statistics were taken during the import', async () => {
  await using t = await startApp()
  const [topics, commentsOfEach] = [340, 110]
  await using _ = await storeWithStaleStatistics(t, [
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

test('comments are served with their files although the statistics have few files', async () => {
  await using t = await startApp()
  const [topics, commentsOfEach, commentsWithFiles] = [50, 110, 3]
  await make.topic(t)
  for (let n = 0; n < commentsWithFiles; n++) await make.comment(t, { topic_id: 1 })
  const files = (count: number) =>
    `insert into file (comment_id, link, file_type, created_at)
       select n % ${commentsWithFiles} + 1, 'https://x.example/', 'text/html', 1 from ${numbers(count)}`
  await t.ctx.database.transaction((tx) => sql.raw(files(60)).execute(tx))
  await using _ = await storeWithStaleStatistics(
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
