import { join } from 'node:path'
import type { SQLInputValue, StatementSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../test/app.ts'
import * as make from '../../../../test/make.ts'
import type { TopicId } from '../../core/ids.ts'
import { findFileBlobs } from '../../files/store.ts'
import { getTopic } from '../../newsfeed/topics.ts'
import { openScope } from '../../scope.ts'
import { connect, createDb } from './connection.ts'

/** Opens a connection to the summit's database that records the text of each query. */
function openRecorded({ dataDir }: TestApp) {
  const connection = connect(join(dataDir, 'summit.db'), 'read')
  const prepare = connection.prepare.bind(connection)
  const queries: string[] = []
  const recording = (statement: StatementSync, text: string) => {
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
    explain: (text: string, ...parameters: string[]) =>
      prepare(`explain query plan ${text}`)
        .all(...parameters)
        .map(({ detail }) => detail),
    [Symbol.dispose]: () => connection.close(),
  }
}

test('topic details take four queries, and five if a comment has files', async () => {
  await using t = await testApp()
  using recorded = openRecorded(t)
  await make.topic(t)
  await make.comment(t, { topic_id: 1 })
  await t.client.likeTopic({ topic_id: 1, created_by: 1 })
  const countQueriesOfDetails = async (): Promise<number> => {
    recorded.queries.length = 0
    await getTopic(openScope(t.ctx, recorded.db, t.url), 1 as TopicId)
    return recorded.queries.length
  }
  expect(await countQueriesOfDetails()).toBe(4)
  await make.comment(t, { topic_id: 1, uploaded_files: [{ name: 'a.txt', data: 'R3LD' }] })
  expect(await countQueriesOfDetails()).toBe(5)
  await t.client.deleteFile({ file_Id: 1 })
  expect(await countQueriesOfDetails()).toBe(4)
})

test('referenced blobs are found by an index, not by a scan of up to a hundred thousand files', async () => {
  await using t = await testApp()
  using recorded = openRecorded(t)
  await findFileBlobs(recorded.db, ['files/00/a', 'files/00/b'])
  const [text = ''] = recorded.queries
  expect(recorded.explain(text, 'files/00/a', 'files/00/b')).toEqual([
    expect.stringMatching(/^SEARCH file USING .*INDEX file_by_blob/),
  ])
})
