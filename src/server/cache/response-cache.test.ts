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

/** Another server on the same data, as another process would be. */
async function besides(t: TestApp, clock: () => number, settings: Partial<TestApp['ctx']['config']>) {
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
  /** Which record it is done to, among those that there may be. */
  on: number
  /** Which of two servers does it. */
  via: number
  text: string
}

const idsOf = (on: number) => ({ topic_id: 1 + (on % 4), comment_id: 1 + (on % 6), file_Id: 1 + (on % 4) })

/** What can be written, by whatever way there is. Failures are answers, too: what they name may not be there. */
const writes = {
  createTopic: (c, { text, on }) =>
    c.call('createTopic', {
      name: `T ${text}`,
      created_by: on % 4,
      uploaded_files: [`https://example.org/${on}.png`],
    }),
  updateTopic: (c, { text, on }) => c.call('updateTopic', { ...idsOf(on), name: `U ${text}` }),
  likeTopic: (c, { on }) => c.call('likeTopic', { ...idsOf(on), created_by: 1 + (on % 3) }),
  unlikeTopic: (c, { on }) => c.call('unlikeTopic', { ...idsOf(on), participant_id: 1 + (on % 3) }),
  createComment: (c, { text, on }) =>
    c.call('createComment', { ...idsOf(on), comment: `C ${text}`, created_by: on % 4, uploaded_files: [pixel] }),
  updateComment: (c, { text, on }) => c.call('updateComment', { ...idsOf(on), comment: `D ${text}` }),
  deleteComment: (c, { on }) => c.call('deleteComment', idsOf(on)),
  deleteFile: (c, { on }) => c.call('deleteFile', idsOf(on)),
  addFeedback: (c, { text, on }) => c.call('addFeedback', { created_by: 1 + (on % 3), comments: text }),
  updateParticipant: (c, { text, on }) => c.call('updateParticipant', { participantId: 1 + (on % 3), last_name: text }),
  addParticipant: (_c, { text }, t) => make.participant(t, { first_name: text }),
  addEvent: (_c, { text }, t) =>
    make.event(t, { title: text }, [{ date: '2030-05-02', time: '09:00:00', title: text }]),
  updateEvent: (_c, { text, on }, t) => inCommand(t, (scope) => updateEvent(scope, eventOf(on), { title: text }, [])),
  deleteTopic: (c, { on }) => c.call('deleteTopic', idsOf(on)),
  cancelEvent: (_c, { on }, t) => inCommand(t, (scope) => cancelEvent(scope, eventOf(on))),
} satisfies Record<string, (client: Client, step: Step, t: TestApp) => Promise<unknown>>

/** Something of everything, so that few writes miss. */
async function begin(t: TestApp): Promise<void> {
  for (let nth = 0; nth < 2; nth++) {
    await make.participant(t)
    await make.event(t)
    await make.topic(t, { uploaded_files: [pixel] })
    await make.comment(t, { topic_id: nth + 1, uploaded_files: [pixel] })
  }
}

const pixel = 'data:text/plain;base64,eA=='
const eventOf = (on: number) => (1 + (on % 2)) as EventId
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
  on: fc.nat(11),
  via: fc.nat(1),
  text: fc.string({ minLength: 1, maxLength: 5 }).map((text) => `${text}.`),
})

const answerOf = async (url: string, path: string) =>
  (await fetch(url + path, { headers: { host: 'summit.test' } })).text()
/** Without what differs between servers and requests. */
const dataOf = (answer: string, url: string) => {
  const [{ response_code, data }] = JSON.parse(answer.replaceAll(url, ''))
  return response_code === 1000 ? data : response_code
}

/** Two servers that keep pages and one that does not, all on the same data. */
async function servers(t: TestApp) {
  await begin(t)
  let now = startOfTest
  await using made = new AsyncDisposableStack()
  const one = made.use(await besides(t, () => now, {}))
  const other = made.use(await besides(t, () => now, {}))
  const exact = made.use(await besides(t, () => now, { pageCacheBytes: 0 }))
  const disposal = made.move()
  return {
    one,
    other,
    /** Reads every page, 700 ms later than the last time, so that the second changes at most but not all times. */
    async expectExact() {
      now += 700
      for (const path of paths) {
        const expected = dataOf(await answerOf(exact.url, path), exact.url)
        for (const { url } of [one, other]) {
          const answer = await answerOf(url, path)
          expect(dataOf(answer, url), path).toEqual(expected)
          expect(JSON.parse(answer)[0].system.created_at).toBe(t.ctx.timestamp(now))
          expect(await verify(answer, signatureKey)).toBe(true)
        }
      }
    },
    [Symbol.asyncDispose]: () => disposal.disposeAsync(),
  }
}

describe('pages that are kept are what the database says, with the time and signature of their answer', () => {
  test('after every kind of write by another process', async () => {
    await using t = await testApp({ SIGNATURE_KEY: signatureKey })
    await using all = await servers(t)
    await all.expectExact()
    for (const kind of Object.keys(writes) as (keyof typeof writes)[]) {
      // The newest topic goes, so that others move up; all else is done to what was first.
      const on = kind === 'deleteTopic' ? 2 : 0
      await writes[kind](all.other.client, { kind, on, via: 1, text: kind }, t)
      await all.expectExact()
    }
  }, 60_000)

  test('after any history of two processes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.array(step, { minLength: 1, maxLength: 3 }),
          isLong ? { minLength: 10, maxLength: 15 } : { minLength: 6, maxLength: 8 },
        ),
        async (history) => {
          await using t = await testApp({ SIGNATURE_KEY: signatureKey })
          await using all = await servers(t)
          for (const together of history) {
            const reading = paths.slice(0, 3).map((path) => answerOf(all.one.url, path))
            await Promise.all(
              together.map((step) => writes[step.kind]((step.via ? all.one : all.other).client, step, t)),
            )
            await Promise.all(reading)
            await all.expectExact()
          }
        },
      ),
      // Not made shorter when it fails: that would take minutes, and the seed that is printed replays it.
      { numRuns: Number(process.env.PAGES_RUNS ?? (isLong ? 5 : 1)), endOnFailure: true },
    )
  }, 300_000)
})

test('nobody who asks after a write was acknowledged sees less than it', async () => {
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

/** A response that shows topics, whatever its data. */
const key: ResponseKey = { name: 'getComment', input: {}, path: '/', audience: 'public', baseUrl: '' }

const cacheOf = ({ ctx }: TestApp, maxBytes: number, read: (db: Db) => Promise<object>): ResponseCache =>
  new ResponseCache({
    ...ctx,
    freshness: new Freshness(ctx.database),
    maxBytes,
    budget: new ResponseBudget(),
    read: (_key, db) => read(db),
  })

test('a hundred readers of a page that has changed cause one query', async () => {
  await using t = await testApp()
  let made = 0
  const cache = cacheOf(t, 1_000_000, async () => ({ made: ++made }))
  const ask = () => cache.get(key)
  await Promise.all(Array.from({ length: 100 }, ask))
  expect(made).toBe(1)
  await make.event(t)
  await Promise.all(Array.from({ length: 100 }, ask))
  expect(made).toBe(1)
  await make.topic(t)
  await Promise.all(Array.from({ length: 100 }, ask))
  expect(made).toBe(2)
})

describe('a page that is overtaken by a change while it is made', () => {
  /** Makes a page of two queries, and does something between them the first time. @returns what was made, each time */
  async function made(t: TestApp, between: () => Promise<unknown>, { fails = false } = {}) {
    const each: { topics: number; again: number }[] = []
    const topics = async (db: Db) =>
      Number(
        (
          await db
            .selectFrom('topic')
            .select(({ fn }) => fn.countAll().as('all'))
            .executeTakeFirstOrThrow()
        ).all,
      )
    const cache = cacheOf(t, 0, async (db) => {
      const before = await topics(db)
      if (each.length === 0) await between()
      const data = { topics: before, again: await topics(db) }
      each.push(data)
      if (fails && data.topics !== data.again) throw new Failure('TOPIC_NOT_FOUND')
      return data
    })
    const response = await cache.get(key)
    return { each, data: JSON.parse(response.at(''.padEnd(19)).toString())[0].data }
  }

  test.each([{ fails: false }, { fails: true }])('is of one state, made again where it has to be: %j', async (how) => {
    await using t = await testApp()
    const { each, data } = await made(t, () => make.topic(t), how)
    const overtaken = t.ctx.database.readCommitted ? [{ topics: 0, again: 1 }] : []
    expect(each).toEqual([...overtaken, data])
    expect(data.topics).toBe(data.again)
  })

  test('and that does not show it, is made once', async () => {
    await using t = await testApp()
    const { each, data } = await made(t, () => make.event(t))
    expect(each).toHaveLength(1)
    expect(data).toEqual({ topics: 0, again: 0 })
  })

  test('and would be made again, is of one state however often it is overtaken', async () => {
    await using t = await testApp()
    let isDone = false
    const writing = (async () => {
      while (!isDone) await make.topic(t)
    })()
    try {
      for (let nth = 0; nth < 20; nth++) {
        const { data } = await made(t, () => make.topic(t))
        expect(data.topics).toBe(data.again)
      }
    } finally {
      isDone = true
      await writing
    }
  })
})

test('a page that was overtaken is kept as of the state that it was made of', async () => {
  await using t = await testApp()
  let times = 0
  const cache = cacheOf(t, 1_000_000, async () => {
    if (times++ === 0) await make.topic(t)
    return {}
  })
  await cache.get(key)
  await cache.get(key)
  expect(times).toBe(2)
})

test('a page that cannot be made fails once, with its reason', async () => {
  await using t = await testApp()
  let times = 0
  const cache = cacheOf(t, 0, async () => {
    times++
    throw new Failure('TOPIC_NOT_FOUND')
  })
  await expect(cache.get(key)).rejects.toMatchObject({ reason: 'TOPIC_NOT_FOUND' })
  expect(times).toBe(1)
})
