import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { startOfTest, type TestApp, testApp } from '../../../test/app.ts'
import { isLong } from '../../../test/long.ts'
import * as make from '../../../test/make.ts'
import { type Client, createClient } from '../../client/client.ts'
import { verify } from '../../client/verify.ts'
import { createApp } from '../app.ts'
import { createContext } from '../context.ts'
import { Failure } from '../core/failure.ts'
import type { EventId } from '../core/ids.ts'
import { ResponseBudget } from '../core/response-budget.ts'
import type { Db } from '../db/tables.ts'
import { cancelEvent, updateEvent } from '../program/events.ts'
import { commandScope } from '../scope.ts'
import { Freshness } from './freshness.ts'
import type { ResponseKey } from './key.ts'
import { ResponseCache } from './response-cache.ts'

const signatureKey = '5a'.repeat(32)

/** Starts another server on the same data, as another process would. */
async function startServer(t: TestApp, clock: () => number, settings: Partial<TestApp['ctx']['config']>) {
  const ctx = await createContext({ ...t.ctx.config, ...settings }, { clock })
  const app = await createApp(ctx)
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    url,
    client: createClient(url),
    [Symbol.asyncDispose]: async () => {
      await app.close()
      await ctx.close()
    },
  }
}

interface Step {
  kind: keyof typeof writes
  /** Selects the record, among those that may exist. */
  target: number
  /** Selects the server that executes it. */
  via: number
  text: string
}

const idsOf = (target: number) => ({
  topic_id: 1 + (target % 4),
  comment_id: 1 + (target % 6),
  file_Id: 1 + (target % 4),
})

/** All kinds of writes, through the API or by a command. They may fail, as their record may not exist. */
const writes = {
  createTopic: (c, { text, target }) =>
    c.call('createTopic', {
      name: `T ${text}`,
      created_by: target % 4,
      uploaded_files: [`https://example.org/${target}.png`],
    }),
  updateTopic: (c, { text, target }) => c.call('updateTopic', { ...idsOf(target), name: `U ${text}` }),
  likeTopic: (c, { target }) => c.call('likeTopic', { ...idsOf(target), created_by: 1 + (target % 3) }),
  unlikeTopic: (c, { target }) => c.call('unlikeTopic', { ...idsOf(target), participant_id: 1 + (target % 3) }),
  createComment: (c, { text, target }) =>
    c.call('createComment', {
      ...idsOf(target),
      comment: `C ${text}`,
      created_by: target % 4,
      uploaded_files: [pixel],
    }),
  updateComment: (c, { text, target }) => c.call('updateComment', { ...idsOf(target), comment: `D ${text}` }),
  deleteComment: (c, { target }) => c.call('deleteComment', idsOf(target)),
  deleteFile: (c, { target }) => c.call('deleteFile', idsOf(target)),
  addFeedback: (c, { text, target }) => c.call('addFeedback', { created_by: 1 + (target % 3), comments: text }),
  updateParticipant: (c, { text, target }) =>
    c.call('updateParticipant', { participantId: 1 + (target % 3), last_name: text }),
  addParticipant: (_c, { text }, t) => make.participant(t, { first_name: text }),
  addEvent: (_c, { text }, t) =>
    make.event(t, { title: text }, [{ date: '2030-05-02', time: '09:00:00', title: text }]),
  updateEvent: (_c, { text, target }, t) =>
    inCommand(t, (scope) => updateEvent(scope, eventOf(target), { title: text }, [])),
  deleteTopic: (c, { target }) => c.call('deleteTopic', idsOf(target)),
  cancelEvent: (_c, { target }, t) => inCommand(t, (scope) => cancelEvent(scope, eventOf(target))),
} satisfies Record<string, (client: Client, step: Step, t: TestApp) => Promise<unknown>>

/** Adds records of every kind, so that most writes find theirs. */
async function addRecords(t: TestApp): Promise<void> {
  for (let nth = 0; nth < 2; nth++) {
    await make.participant(t)
    await make.event(t)
    await make.topic(t, { uploaded_files: [pixel] })
    await make.comment(t, { topic_id: nth + 1, uploaded_files: [pixel] })
  }
}

const pixel = 'data:text/plain;base64,eA=='
const eventOf = (target: number) => (1 + (target % 2)) as EventId
const inCommand = (t: TestApp, work: (scope: ReturnType<typeof commandScope>) => Promise<void>) =>
  t.ctx.database.transaction((tx) => work(commandScope(t.ctx, tx, 'test')))

const paths = [
  '/api/newsfeeds/topics/0/2',
  '/api/newsfeeds/topics/1/2',
  '/api/newsfeeds/topics/0/100',
  ...[1, 2, 3, 4].map((id) => `/api/newsfeeds/topics/${id}/details`),
  ...[1, 2, 3, 4].map((id) => `/api/newsfeeds/topics/${id}/comments/0/10`),
  ...[1, 2, 3].map((id) => `/api/newsfeeds/comments/${id}/details`),
  '/api/program/list/0/10',
  '/api/program/details/1',
  '/api/feedback/list/0/10',
  '/api/feedback/list/0/10/2',
  '/api/participants/0/10',
]

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(...(Object.keys(writes) as (keyof typeof writes)[])),
  target: fc.nat(11),
  via: fc.nat(1),
  text: fc.string({ minLength: 1, maxLength: 5 }).map((text) => `${text}.`),
})

const fetchText = async (url: string, path: string) =>
  (await fetch(url + path, { headers: { host: 'summit.test' } })).text()
/** The data of a response, without the parts that differ between servers and requests. */
const dataOf = (responseText: string, url: string) => {
  const [{ response_code, data }] = JSON.parse(responseText.replaceAll(url, ''))
  return response_code === 1000 ? data : response_code
}

/** Starts two servers with a cache and one without, all on the same data. */
async function startServers(t: TestApp) {
  await addRecords(t)
  let now = startOfTest
  await using stack = new AsyncDisposableStack()
  const one = stack.use(await startServer(t, () => now, {}))
  const other = stack.use(await startServer(t, () => now, {}))
  const uncached = stack.use(await startServer(t, () => now, { pageCacheBytes: 0 }))
  const disposal = stack.move()
  return {
    one,
    other,
    /** Reads every path, 700 ms after the last time, so that the second usually changes but not always. */
    async expectExact() {
      now += 700
      for (const path of paths) {
        const expected = dataOf(await fetchText(uncached.url, path), uncached.url)
        for (const { url } of [one, other]) {
          const text = await fetchText(url, path)
          expect(dataOf(text, url), path).toEqual(expected)
          expect(JSON.parse(text)[0].system.created_at).toBe(t.ctx.timestamp(now))
          expect(await verify(text, signatureKey)).toBe(true)
        }
      }
    },
    [Symbol.asyncDispose]: () => disposal.disposeAsync(),
  }
}

describe('cached responses match the database, with a timestamp and signature of their own', () => {
  test('after every kind of write by another process', async () => {
    await using t = await testApp({ SIGNATURE_KEY: signatureKey })
    await using all = await startServers(t)
    await all.expectExact()
    for (const kind of Object.keys(writes) as (keyof typeof writes)[]) {
      // Deletes the newest topic, so that others move up; all other writes change the first record.
      const target = kind === 'deleteTopic' ? 2 : 0
      await writes[kind](all.other.client, { kind, target, via: 1, text: kind }, t)
      await all.expectExact()
    }
  }, 60_000)

  test('after any sequence of concurrent writes by two processes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.array(step, { minLength: 1, maxLength: 3 }),
          isLong ? { minLength: 10, maxLength: 15 } : { minLength: 6, maxLength: 8 },
        ),
        async (batches) => {
          await using t = await testApp({ SIGNATURE_KEY: signatureKey })
          await using all = await startServers(t)
          for (const batch of batches) {
            const reading = paths.slice(0, 3).map((path) => fetchText(all.one.url, path))
            await Promise.all(batch.map((step) => writes[step.kind]((step.via ? all.one : all.other).client, step, t)))
            await Promise.all(reading)
            await all.expectExact()
          }
        },
      ),
      // No shrinking on failure: it would take minutes, and the printed seed replays the run.
      { numRuns: Number(process.env.PAGES_RUNS ?? (isLong ? 5 : 1)), endOnFailure: true },
    )
  }, 300_000)
})

test('every read that starts after a write was acknowledged sees it', async () => {
  await using t = await testApp()
  await make.topic(t)
  let acknowledged = 0
  const writer = async () => {
    for (let nth = 1; nth <= 60; nth++) {
      await make.comment(t, { topic_id: 1 })
      acknowledged = nth
    }
  }
  const reader = async () => {
    while (acknowledged < 60) {
      const before = acknowledged
      const { NewsFeed } = await t.client.listTopics({ offset: 0, limit: 5 })
      expect(NewsFeed[0]?.comments.length).toBeGreaterThanOrEqual(before)
    }
  }
  await Promise.all([writer(), reader(), reader(), reader()])
})

/** A response that depends on all topics, whatever its data. */
const key: ResponseKey = { name: 'getComment', input: {}, path: '/', audience: 'public', baseUrl: '' }

const createCache = ({ ctx }: TestApp, maxBytes: number, read: (db: Db) => Promise<object>): ResponseCache =>
  new ResponseCache({
    ...ctx,
    freshness: new Freshness(ctx.database),
    maxBytes,
    budget: new ResponseBudget(),
    read: (_key, db) => read(db),
  })

test('a hundred concurrent requests for a changed response cause one query', async () => {
  await using t = await testApp()
  let queries = 0
  const cache = createCache(t, 1_000_000, async () => ({ queries: ++queries }))
  const get = () => cache.get(key)
  await Promise.all(Array.from({ length: 100 }, get))
  expect(queries).toBe(1)
  await make.event(t)
  await Promise.all(Array.from({ length: 100 }, get))
  expect(queries).toBe(1)
  await make.topic(t)
  await Promise.all(Array.from({ length: 100 }, get))
  expect(queries).toBe(2)
})

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
    const cache = createCache(t, 0, async (db) => {
      const before = await countTopics(db)
      if (builds.length === 0) await between()
      const data = { topics: before, again: await countTopics(db) }
      builds.push(data)
      if (fails && data.topics !== data.again) throw new Failure('TOPIC_NOT_FOUND')
      return data
    })
    const response = await cache.get(key)
    return { builds, data: JSON.parse(response.at(''.padEnd(19)).toString())[0].data }
  }

  test.each([{ fails: false }, { fails: true }])(
    'reflects one state, and is built again if necessary: %j',
    async (how) => {
      await using t = await testApp()
      const { builds, data } = await build(t, () => make.topic(t), how)
      const overtaken = t.ctx.database.readCommitted ? [{ topics: 0, again: 1 }] : []
      expect(builds).toEqual([...overtaken, data])
      expect(data.topics).toBe(data.again)
    },
  )

  test('is built once if it does not depend on that data', async () => {
    await using t = await testApp()
    const { builds, data } = await build(t, () => make.event(t))
    expect(builds).toHaveLength(1)
    expect(data).toEqual({ topics: 0, again: 0 })
  })

  test('reflects one state however often its data changes', async () => {
    await using t = await testApp()
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

test('a response whose data changed while it was being built is not served from the cache', async () => {
  await using t = await testApp()
  let reads = 0
  const cache = createCache(t, 1_000_000, async () => {
    if (reads++ === 0) await make.topic(t)
    return {}
  })
  await cache.get(key)
  await cache.get(key)
  expect(reads).toBe(2)
})

test('a response that cannot be built fails after one attempt, with its reason', async () => {
  await using t = await testApp()
  let reads = 0
  const cache = createCache(t, 0, async () => {
    reads++
    throw new Failure('TOPIC_NOT_FOUND')
  })
  await expect(cache.get(key)).rejects.toMatchObject({ reason: 'TOPIC_NOT_FOUND' })
  expect(reads).toBe(1)
})
