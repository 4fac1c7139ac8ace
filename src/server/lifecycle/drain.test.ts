import { once } from 'node:events'
import { mkdtempDisposable } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, expect, test, vi } from 'vitest'
import { testApp, testPlace } from '../../../test/app.ts'
import { readConfig } from '../config/config.ts'
import type { Database } from '../db/open.ts'
import { ResponseCounts } from '../ops/response-counts.ts'
import { listen } from './listen.ts'
import { serve } from './serve.ts'

/** A server with a short drain timeout, and a client that has sent (part of) a request. */
async function startRequest(head: string, body: string) {
  const folder = await mkdtempDisposable(join(tmpdir(), 'summit-test-'))
  const { config } = readConfig({ DATA_DIR: folder.path, PORT: '0', LOG_LEVEL: 'silent' })
  const serving = await serve(config, { timeoutMs: 300 })
  const client = connect(Number(new URL(serving.address).port), '127.0.0.1').setEncoding('utf8')
  const received: string[] = []
  client.on('data', (text: string) => received.push(text))
  const send = async (body: string) => {
    client.write(`${head} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${body}`)
    await once(serving.app.server, 'request')
  }
  await send(body)
  return {
    folder: folder.path,
    serving,
    received,
    /** Sends another request. */
    send,
    /** Everything the client receives until the connection ends. @throws if it is reset */
    response: once(client, 'end').then(() => received.join('')),
    [Symbol.asyncDispose]: async () => {
      client.destroy()
      await folder.remove()
    },
  }
}

const create = 'POST /api/newsfeeds/topics/create'

test('an upload that is incomplete when the timeout expires gets a 5030 and the connection closes', async () => {
  await using slow = await startRequest(create, 'Content-Length: 1000\r\n\r\n{"name":')
  const closed = slow.serving.close()
  const response = await slow.response
  expect(response).toMatch(/^HTTP\/1\.1 200 /)
  expect(response).toMatch(/^connection: close/im)
  expect(response).toMatch(/^retry-after: 1/im)
  expect(response).toContain('"response_code":5030')
  await closed
})

test('a write that is still waiting for the database when the timeout expires gets outcome unknown (5031)', async () => {
  const body = '{"name":"x","created_by":1}'
  await using late = await startRequest(create, `Content-Length: ${body.length}\r\n\r\n${body}`)
  using other = new DatabaseSync(join(late.folder, 'summit.db'))
  other.exec('begin immediate')
  const closed = late.serving.close()
  expect(await late.response).toContain('"response_code":5031')
  other.exec('rollback')
  await closed
})

test('a second write on a reused connection gets outcome unknown (5031) as well, and may still be stored', async () => {
  const body = '{"name":"x","created_by":1}'
  await using late = await startRequest(create, `Content-Length: ${body.length}\r\n\r\n${body}`)
  await expect.poll(() => late.received.join('')).toContain('"response_code":1000')
  using other = new DatabaseSync(join(late.folder, 'summit.db'))
  other.exec('begin immediate')
  await late.send(`Content-Length: ${body.length}\r\n\r\n${body}`)
  const closed = late.serving.close()
  const response = await late.response
  expect(response).toMatch(/^connection: close[\s\S]*"response_code":5031/im)
  other.exec('rollback')
  await closed
  // It was stored after all, and can be found by its request id.
  const [, id] = /"request_id":"([^"]+)"/.exec(response) ?? []
  expect(other.prepare('select kind from change where request_id = ?').all(id ?? '')).toEqual([
    { kind: 'topic.created' },
  ])
})

test('an incomplete second upload on a reused connection gets exactly one 5030', async () => {
  const body = '{"name":"x","created_by":1}'
  await using slow = await startRequest(create, `Content-Length: ${body.length}\r\n\r\n${body}`)
  await expect.poll(() => slow.received.join('')).toContain('"response_code":1000')
  await slow.send('Content-Length: 1000\r\n\r\n{"name":')
  await slow.serving.close()
  expect((await slow.response).match(/"response_code":\d+/g)).toEqual(['"response_code":1000', '"response_code":5030'])
})

test('a refused upload ends with its connection and logs no error', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((type) => type === 'Timeout').length
  const before = timers()
  await using slow = await startRequest(create, 'Content-Length: 1000\r\n\r\n{"name":')
  const logged = vi.spyOn(slow.serving.app.log, 'error')
  await slow.serving.close()
  expect(await slow.response).toContain('"response_code":5030')
  await expect.poll(timers).toBeLessThanOrEqual(before)
  expect(logged).not.toHaveBeenCalled()
})

test.each(['succeeds', 'fails'])(
  'a read that exceeds the timeout gets one 5030, counted with its duration, even if it %s later',
  async (outcome) => {
    await using t = await testApp({ PAGE_CACHE_BYTES: '0' })
    const { database } = t.ctx
    const { snapshot, readCommitted } = database
    const blocked = Promise.withResolvers<never>()
    let isBlocked = false
    const blockable =
      (query: Database['snapshot']): Database['snapshot'] =>
      (work) =>
        isBlocked ? blocked.promise : query(work)
    const counted = vi.spyOn(ResponseCounts.prototype, 'add')
    const ctx = {
      ...t.ctx,
      database: {
        ...database,
        snapshot: blockable(snapshot),
        ...(readCommitted && { readCommitted: blockable(readCommitted) }),
      },
    }
    const listening = await listen(ctx, { port: 0, timeoutMs: 300 })
    const list = async () => (await fetch(`${listening.address}/api/newsfeeds/topics/0/10`)).json()
    expect(await list()).toMatchObject([{ response_code: 1000 }])
    isBlocked = true
    const arrived = once(listening.app.server, 'request')
    const response = list()
    await arrived
    const closed = listening.close()
    expect(await response).toMatchObject([{ response_code: 5030 }])
    await closed
    const [timedOut] = counted.mock.calls.flat().filter(({ responseCode }) => responseCode === 5030)
    expect(timedOut?.ms).toBeGreaterThan(250)
    // A second response now would crash the process.
    if (outcome === 'succeeds') blocked.resolve({ text: '{}', parts: [] } as never)
    else blocked.reject(new Error('too late'))
    await new Promise(setImmediate)
    await new Promise(setImmediate)
    expect(counted).toHaveBeenCalledTimes(2)
  },
)

afterEach(() => void vi.restoreAllMocks())

test('a closed server clears its drain timers', async () => {
  await using place = await testPlace()
  const { config } = readConfig({ ...place.settings, PORT: '0', LOG_LEVEL: 'silent' })
  const timeoutMs = 12_345
  const serving = await serve(config, { timeoutMs })
  const started = vi.spyOn(globalThis, 'setTimeout')
  const cleared = vi.spyOn(globalThis, 'clearTimeout')
  await serving.close()
  // The unusual delay identifies these timers among all others of the process.
  const timers = started.mock.results.filter((_, nth) => started.mock.calls[nth]?.[1] === timeoutMs)
  expect(timers).not.toHaveLength(0)
  for (const { value } of timers) expect(cleared).toHaveBeenCalledWith(value)
})
