import type { KyselyPlugin } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/app.ts'
import * as make from '../../../../test/make.ts'
import type { TopicId } from '../../core/ids.ts'
import { Links } from '../../core/links.ts'
import { presentTopics } from './present.ts'
import { getTopicRow } from './topic-store.ts'

/** Fails to build the link of a file, so that presenting its topic fails. */
class FailingLinks extends Links {
  override file(): never {
    throw new Error('no link')
  }
}

// Only PostgreSQL has queries in flight: SQLite runs each synchronously.
test('an error while presenting a topic leaves no query in flight, which would run in the next transaction', async () => {
  await using t = await startTestApp()
  const { database, timestamp, config } = t.ctx
  const { id } = await make.topic(t, { uploaded_files: [{ name: 'a.txt', data: 'R3LD' }] })
  await make.comment(t, { topic_id: Number(id) })
  let completed = 0
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      completed++
      return result
    },
  }
  const atFailure = await database.snapshot(async (db) => {
    const row = await getTopicRow(db, Number(id) as TopicId)
    const links = new FailingLinks(t.url, '')
    const { dayOfWeek, limits } = config
    const scope = {
      db: db.withPlugin(counting),
      now: 0,
      links,
      timestamp,
      timeZone: 'UTC',
      dayOfWeek,
      limits,
      audience: 'open' as const,
      summitEnds: undefined,
    }
    // Comments over the limit of characters take a second query.
    const presented = presentTopics(scope, [row.id], Promise.resolve([row]), {
      ofEach: 1,
      ofAll: 1,
      charactersOfAll: 0,
    })
    return presented.then(
      () => 'presented',
      () => completed,
    )
  })
  // A connection executes its queries in order: once each has executed another one, none is in flight.
  const another = () => database.snapshot((db) => getTopicRow(db, Number(id) as TopicId))
  await Promise.all(Array.from({ length: 50 }, another))
  expect(completed).toBeGreaterThan(0)
  expect(atFailure).toBe(completed)
})
