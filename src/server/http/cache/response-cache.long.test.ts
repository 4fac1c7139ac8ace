import { describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import * as make from '../../../../test/make.ts'
import { Failure } from '../../core/failure.ts'
import type { Db } from '../../storage/db/tables.ts'
import { createCache } from './response-cache.fixtures.ts'

describe('a response that is built while data changes', () => {
  /** Builds a response from two queries; the first build runs `between` after its first one. @returns all data built */
  async function build(t: TestApp, between: () => Promise<unknown>, { fails = false } = {}) {
    const builds: { topics: number; again: number }[] = []
    const countTopics = async (db: Db) =>
      Number(
        (
          await db
            .selectFrom('topic')
            .select(({ fn }) => fn.countAll().as('all'))
            .executeTakeFirstOrThrow()
        ).all,
      )
    const get = createCache(t, 0, async (db) => {
      const before = await countTopics(db)
      if (builds.length === 0) await between()
      const data = { topics: before, again: await countTopics(db) }
      builds.push(data)
      if (fails && data.topics !== data.again) throw new Failure('TOPIC_NOT_FOUND')
      return data
    })
    const response = await get()
    return { builds, data: JSON.parse(response.at(''.padEnd(19)).toString())[0].data }
  }

  test.each([{ fails: false }, { fails: true }])(
    'reflects one state, and is built again if necessary: %j',
    async (how) => {
      await using t = await startTestApp()
      const { builds, data } = await build(t, () => make.topic(t), how)
      const overtaken = t.ctx.database.readCommitted ? [{ topics: 0, again: 1 }] : []
      expect(builds).toEqual([...overtaken, data])
      expect(data.topics).toBe(data.again)
    },
  )

  test('is built once if it does not depend on that data', async () => {
    await using t = await startTestApp()
    const { builds, data } = await build(t, () => make.event(t))
    expect(builds).toHaveLength(1)
    expect(data).toEqual({ topics: 0, again: 0 })
  })

  test('reflects one state however often its data changes', async () => {
    await using t = await startTestApp()
    let isStopped = false
    const writing = (async () => {
      while (!isStopped) await make.topic(t)
    })()
    try {
      for (let nth = 0; nth < 20; nth++) {
        const { data } = await build(t, () => make.topic(t))
        expect(data.topics).toBe(data.again)
      }
    } finally {
      isStopped = true
      await writing
    }
  })
})

test('a response that cannot be built fails after one attempt, with its reason', async () => {
  await using t = await startTestApp()
  let reads = 0
  const get = createCache(t, 0, async () => {
    reads++
    throw new Failure('TOPIC_NOT_FOUND')
  })
  await expect(get()).rejects.toMatchObject({ reason: 'TOPIC_NOT_FOUND' })
  expect(reads).toBe(1)
})

test('a change beyond those that are read at once counts', async () => {
  await using t = await startTestApp()
  let reads = 0
  const get = createCache(t, 1_000_000, async () => ({ reads: ++reads }))
  await get()
  // 10,000 that do not concern the response are read at once, and one that does comes after them.
  const rows = Array.from({ length: 1_000 }, () => ({ at: 1, kind: 'event.updated', record_id: 1 }))
  await t.ctx.database.transaction(async (tx) => {
    for (let nth = 0; nth < 10; nth++) await tx.insertInto('change').values(rows).execute()
    await tx.insertInto('change').values({ at: 1, kind: 'topic.updated', record_id: 1, parent_id: 1 }).execute()
  })
  await get()
  expect(reads).toBe(2)
})
