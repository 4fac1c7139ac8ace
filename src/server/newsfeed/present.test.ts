import type { KyselyPlugin } from 'kysely'
import { expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import * as make from '../../../test/make.ts'
import type { TopicId } from '../core/ids.ts'
import { Links } from '../core/links.ts'
import { presentTopics } from './present.ts'
import { getTopicRow } from './topic-store.ts'

/** Cannot tell where a file is, so that its topic cannot be presented. */
class NoLinks extends Links {
  override file(): never {
    throw new Error('no link')
  }
}

// Only a server has queries under way: a file answers each at once.
test('a topic that cannot be presented leaves no query under way, which would run in the next transaction', async () => {
  await using t = await testApp()
  const { database, timestamp, config } = t.ctx
  const { id } = await make.topic(t, { uploaded_files: [{ name: 'a.txt', data: 'R3LD' }] })
  await make.comment(t, { topic_id: Number(id) })
  let answered = 0
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      answered++
      return result
    },
  }
  const atFailure = await database.snapshot(async (db) => {
    const row = await getTopicRow(db, Number(id) as TopicId)
    const links = new NoLinks(t.url)
    const { dayOfWeek, limits } = config
    const scope = { db: db.withPlugin(counting), now: 0, links, timestamp, dayOfWeek, limits, requestId: 'a' }
    // Comments that are too long are asked for once more.
    const presenting = presentTopics(scope, [row.id], Promise.resolve([row]), {
      ofEach: 1,
      ofAll: 1,
      charactersOfAll: 0,
    })
    return presenting.then(
      () => 'presented',
      () => answered,
    )
  })
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(answered).toBeGreaterThan(0)
  expect(atFailure).toBe(answered)
})
