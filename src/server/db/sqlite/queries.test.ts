import { join } from 'node:path'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import { expect, test, vi } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import * as make from '../../../../test/make.ts'
import { findFileBlobs } from '../../files/store.ts'

test('topic details take four queries, and five if a comment has files', async () => {
  await using t = await testApp({ PAGE_CACHE_BYTES: '0' })
  await make.topic(t)
  await make.comment(t, { topic_id: 1 })
  await t.client.likeTopic({ topic_id: 1, created_by: 1 })
  const queriesOfDetails = async (): Promise<number> => {
    // The first request after a write also reads the change log.
    await t.client.getTopic({ topic_id: 1 })
    using all = vi.spyOn(StatementSync.prototype, 'all')
    await t.client.getTopic({ topic_id: 1 })
    return all.mock.calls.length
  }
  expect(await queriesOfDetails()).toBe(4)
  await make.comment(t, { topic_id: 1, uploaded_files: [{ name: 'a.txt', data: 'R3LD' }] })
  expect(await queriesOfDetails()).toBe(5)
  await t.client.deleteFile({ file_Id: 1 })
  expect(await queriesOfDetails()).toBe(4)
})

test('referenced blobs are found by an index, not by a scan: there may be a hundred thousand', async () => {
  await using t = await testApp()
  using prepare = vi.spyOn(DatabaseSync.prototype, 'prepare')
  await findFileBlobs(t.ctx.database.read, ['files/00/a', 'files/00/b'])
  const text = prepare.mock.lastCall?.[0] ?? ''
  using database = new DatabaseSync(join(t.dataDir, 'summit.db'), { readOnly: true })
  const plan = database.prepare(`explain query plan ${text}`).all('files/00/a', 'files/00/b')
  expect(plan.map(({ detail }) => detail)).toEqual([expect.stringMatching(/^SEARCH file USING .*INDEX file_by_blob/)])
})
