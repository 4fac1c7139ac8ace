import { join } from 'node:path'
import type { SQLInputValue, StatementSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/app.ts'
import { startExampleApp } from '../../../../../test/contract/example-app.ts'
import { examples, reads } from '../../../../../test/contract/examples.ts'
import * as make from '../../../../../test/make.ts'
import type { OperationName } from '../../../../contract/index.ts'
import { createHandlers } from '../../../app.ts'
import { deleteCodesOf } from '../../../auth/code-store.ts'
import { listUnrevokedOf } from '../../../auth/credential-store.ts'
import { noOrganizer, noParticipant, type OrganizerId, type ParticipantId, type TopicId } from '../../../core/ids.ts'
import { deleteFilesBy } from '../../../domains/files/store.ts'
import { FilePlanner } from '../../../domains/import/by-request/file-planner.ts'
import { deleteTopics } from '../../../domains/newsfeed/erase-posts-store.ts'
import { findLikeId } from '../../../domains/newsfeed/like-store.ts'
import { getTopic } from '../../../domains/newsfeed/topics.ts'
import { referencedBlobKeys } from '../../../domains/orphans/owned-blobs.ts'
import { findLastDay } from '../../../domains/program/store.ts'
import type { AnyHandler } from '../../../http/request/bound-operation.ts'
import { Freshness } from '../../../log/changes/freshness.ts'
import { openScope } from '../../../scope.ts'
import type { Db } from '../tables.ts'
import { connect } from './connection.ts'
import { createDb } from './queries.ts'

/** Opens a connection to the summit's database that records the text of each query, and of each prepared statement. */
function openRecorded({ dataDir }: TestApp, mode: 'read' | 'write' = 'read') {
  const connection = connect(join(dataDir, 'summit.db'), mode)
  const prepare = connection.prepare.bind(connection)
  const queries: string[] = []
  const statements: string[] = []
  const recording = (statement: StatementSync, text: string) => {
    statements.push(text)
    const { all } = statement
    statement.all = ((...parameters: SQLInputValue[]) => {
      queries.push(text)
      return Reflect.apply(all, statement, parameters)
    }) as StatementSync['all']
    return statement
  }
  return {
    db: createDb(Object.assign(connection, { prepare: (text: string) => recording(prepare(text), text) })),
    queries,
    statements,
    explain: (text: string) =>
      prepare(`explain query plan ${text}`)
        .all()
        .map(({ detail }) => detail),
    [Symbol.dispose]: () => connection.close(),
  }
}

/** Adds more of everything to the records of the example app, by authors of their own. */
async function addRecords(t: TestApp, count: number): Promise<void> {
  const files = () => [new File(['slides'], 'slides.txt'), new File(['notes'], 'notes.txt')]
  for (let nth = 0; nth < count; nth++) {
    const created_by = await make.participant(t)
    await make.oneOfEach(t, created_by)
    // Of the topic and the participant that are read.
    await t.client.createComment({ topic_id: 1, comment: 'Fine', created_by }, { files: files() })
    await t.client.likeTopic({ topic_id: 1, created_by })
    await t.client.addFeedback({ created_by: 1, comments: 'Fine' })
  }
}

test('the number of queries of a read does not grow with the number of records', async () => {
  await using t = await startExampleApp()
  using recorded = openRecorded(t)
  const countQueries = async () => {
    const handlers = createHandlers(t.ctx, new Freshness(t.ctx.database), new FilePlanner())
    const counts: Partial<Record<OperationName, number>> = {}
    for (const name of reads) {
      const handler = handlers[name]
      const read = ('read' in handler ? handler.read : handler) as AnyHandler
      recorded.queries.length = 0
      const scope = openScope(t.ctx, recorded.db, { audience: 'open', baseUrl: t.url, mediaKey: '' })
      await read(scope, { ...examples[name].params })
      counts[name] = recorded.queries.length
    }
    return counts
  }
  const expected = Object.fromEntries(reads.map((name) => [name, examples[name].queries]))
  await addRecords(t, 1)
  expect(await countQueries()).toEqual(expected)
  await addRecords(t, 5)
  expect(await countQueries()).toEqual(expected)
})

test('topic details take four queries, and five if a comment has files', async () => {
  await using t = await startTestApp()
  using recorded = openRecorded(t)
  await make.participant(t)
  await make.topic(t)
  await make.comment(t, { topic_id: 1 })
  await t.client.likeTopic({ topic_id: 1, created_by: 1 })
  const countQueriesOfDetails = async (): Promise<number> => {
    recorded.queries.length = 0
    await getTopic(openScope(t.ctx, recorded.db, { audience: 'open', baseUrl: t.url, mediaKey: '' }), 1 as TopicId)
    return recorded.queries.length
  }
  expect(await countQueriesOfDetails()).toBe(4)
  await make.comment(t, { topic_id: 1, uploaded_files: [{ name: 'a.txt', data: 'R3LD' }] })
  expect(await countQueriesOfDetails()).toBe(5)
  await t.client.deleteFile({ file_Id: 1 })
  expect(await countQueriesOfDetails()).toBe(4)
})

type Query = (db: Db) => Promise<unknown>

const [ana, owner, topic] = [1 as ParticipantId, 1 as OrganizerId, 1 as TopicId]

// A few statements; `plans.long.test.ts` has all of the product.
test.each<[string, Query]>([
  ['credentials of a participant', (db) => listUnrevokedOf(db, { participant: ana, organizer: noOrganizer })],
  ['credentials of an organizer', (db) => listUnrevokedOf(db, { participant: noParticipant, organizer: owner })],
  ['codes of a participant', (db) => deleteCodesOf(db, ana, ['ana@summit.example'])],
  ['like of a topic', (db) => findLikeId(db, topic, ana)],
  ['files of a participant', (db) => deleteFilesBy(db, ana)],
  ['topics with all that refers to them', (db) => deleteTopics(db, [topic])],
  ['last day of the program', (db) => findLastDay(db)],
  ['rows that refer to blobs', (db) => referencedBlobKeys(db, ['files/00/a', 'program/1/a', 'participants/1/photo/a'])],
])('the %s are found by an index, not by a scan of up to a hundred thousand rows', async (_, query) => {
  await using t = await startTestApp()
  using recorded = openRecorded(t, 'write')
  await query(recorded.db)
  const plan = recorded.statements.flatMap((text) => recorded.explain(text)).map(String)
  expect(plan.length).toBeGreaterThan(0)
  // Most credentials are of no organizer. The last day of the program is at the end of its index. There is one conference.
  const flaws = plan.filter(
    (line) => /^SCAN|credential_of_organizer/.test(line) && !/activity_by_date$|conference$/.test(line),
  )
  expect(flaws).toEqual([])
})
