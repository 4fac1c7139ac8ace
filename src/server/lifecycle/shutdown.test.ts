import { once } from 'node:events'
import { Registry } from 'prom-client'
import { afterEach, expect, test, vi } from 'vitest'
import { createTestStorage, startTestApp } from '../../../test/app.ts'
import { readConfig } from '../config/config.ts'
import type { Context } from '../context.ts'
import { Failure } from '../core/failure.ts'
import type { Database } from '../storage/db/open.ts'
import { RecordedLog } from './recorded-server.fixtures.ts'
import { serve } from './serve.ts'
import { request } from './shutdown.fixtures.ts'
import { listen } from './start/listen.ts'

afterEach(() => void vi.useRealTimers())

/** Makes the reads of a context wait, from `block` until the gate is settled. */
function blockableReads(ctx: Context) {
  const { snapshot, readCommitted } = ctx.database
  const gate = Promise.withResolvers<void>()
  const reads: Promise<unknown>[] = []
  let isBlocked = false
  const blockable =
    (query: Database['snapshot']): Database['snapshot'] =>
    (work) => {
      const read = isBlocked ? gate.promise.then(() => query(work)) : query(work)
      reads.push(read)
      return read
    }
  const database: Database = {
    ...ctx.database,
    snapshot: blockable(snapshot),
    ...(readCommitted && { readCommitted: blockable(readCommitted) }),
  }
  return {
    ctx: { ...ctx, database },
    gate,
    block: () => {
      isBlocked = true
    },
    /** Resolves when every read has ended, and the server had a turn to respond. */
    settled: async () => {
      await Promise.allSettled(reads)
      for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
    },
  }
}

test.each([
  ['succeeds', undefined, []],
  ['fails by a bug', new Error('too late'), [[50, 'request failed after its response']]],
  ['fails as it may', new Failure('UNAVAILABLE'), []],
])(
  'a read that exceeds the timeout gets one 5030, counted with its duration, even if it %s later',
  async (_, error, logged) => {
    await using t = await startTestApp({ PAGE_CACHE_BYTES: '0' })
    const reads = blockableReads(t.ctx)
    const registry = new Registry()
    const sink = new RecordedLog()
    const ctx = { ...reads.ctx, config: { ...reads.ctx.config, logLevel: 'error' as const } }
    const listening = await listen(ctx, { port: 0, timeoutMs: 300, registry, sink })
    expect(await request(listening.address)).toContain('"response_code":1000')
    reads.block()
    const arrived = once(listening.app.server, 'request')
    const response = request(listening.address)
    await arrived
    const closed = listening.close()
    expect((await response).match(/"response_code":\d+/g)).toEqual(['"response_code":5030'])
    await closed
    // A second response now would crash the process.
    if (error) reads.gate.reject(error)
    else reads.gate.resolve()
    await reads.settled()
    expect(sink.lines().map(({ level, msg }) => [level, msg])).toEqual(logged)
    const metrics = await registry.metrics()
    expect(metrics.match(/^summit_responses_total{.*$/gm)).toEqual([
      'summit_responses_total{operation="listTopics",response_code="1000"} 1',
      'summit_responses_total{operation="listTopics",response_code="5030"} 1',
    ])
    const [, seconds] = /^summit_response_seconds_sum{operation="listTopics"} (.*)$/m.exec(metrics) ?? []
    expect(Number(seconds)).toBeGreaterThan(0.25)
  },
)

test('a request that takes longer than the ten seconds Fastify allows a plugin is completed during shutdown', async () => {
  await using t = await startTestApp({ PAGE_CACHE_BYTES: '0' })
  const reads = blockableReads(t.ctx)
  const listening = await listen(reads.ctx, { port: 0 })
  reads.block()
  const arrived = once(listening.app.server, 'request')
  const response = request(listening.address)
  await arrived
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const closed = listening.close()
  await expect.poll(() => listening.app.server.listening).toBe(false)
  await vi.advanceTimersByTimeAsync(20_000)
  reads.gate.resolve()
  expect(await response).toContain('"response_code":1000')
  await closed
})

test('a closed server leaves no timer', async () => {
  await using storage = await createTestStorage()
  const { config } = readConfig({ ...storage.settings, PORT: '0', LOG_LEVEL: 'silent' })
  const serving = await serve(config)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await serving.close()
  expect(vi.getTimerCount()).toBe(0)
})
