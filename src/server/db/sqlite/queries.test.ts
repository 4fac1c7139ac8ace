import { StatementSync } from 'node:sqlite'
import { expect, test, vi } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import * as make from '../../../../test/make.ts'

test('topic details are four queries, and one more where a comment has files', async () => {
  await using t = await testApp({ PAGE_CACHE_BYTES: '0' })
  await make.topic(t)
  await make.comment(t, { topic_id: 1 })
  await t.client.likeTopic({ topic_id: 1, created_by: 1 })
  const queriesOfDetails = async (): Promise<number> => {
    // The first after a write reads what has changed.
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
