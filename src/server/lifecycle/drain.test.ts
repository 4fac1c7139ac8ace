import { once } from 'node:events'
import { mkdtempDisposable } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, expect, test, vi } from 'vitest'
import { testApp, testPlace } from '../../../test/app.ts'
import { readConfig } from '../config.ts'
import type { Database } from '../db/open.ts'
import { ResponseCounts } from '../ops/response-counts.ts'
import { listen } from './listen.ts'
import { serve } from './serve.ts'

/** A server that gives up soon, and a client that has begun a request. */
async function begin(head: string, body: string) {
  const folder = await mkdtempDisposable(join(tmpdir(), 'summit-test-'))
  const { config } = readConfig({ DATA_DIR: folder.path, PORT: '0', LOG_LEVEL: 'silent' })
  const serving = await serve(config, { timeoutMs: 300 })
  const client = connect(Number(new URL(serving.address).port), '127.0.0.1').setEncoding('utf8')
  const heard: string[] = []
  client.on('data', (text: string) => heard.push(text))
  const send = async (body: string) => {
    client.write(`${head} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${body}`)
    await once(serving.app.server, 'request')
  }
  await send(body)
  return {
    folder: folder.path,
    serving,
    heard,
    /** Sends another request. */
    send,
    /** All that the client hears until its connection ends. @throws when it is reset */
    answer: once(client, 'end').then(() => heard.join('')),
    [Symbol.asyncDispose]: async () => {
      client.destroy()
      await folder.remove()
    },
  }
}

const create = 'POST /api/newsfeeds/topics/create'

test('an upload that is not over at the end is told so', async () => {
  await using slow = await begin(create, 'Content-Length: 1000\r\n\r\n{"name":')
  const closed = slow.serving.close()
  const answer = await slow.answer
  expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  expect(answer).toMatch(/^connection: close/im)
  expect(answer).toMatch(/^retry-after: 1/im)
  expect(answer).toContain('"response_code":5030')
  await closed
})

test('a write of which nobody knows whether it will be stored is told that', async () => {
  const body = '{"name":"x","created_by":1}'
  await using late = await begin(create, `Content-Length: ${body.length}\r\n\r\n${body}`)
  using other = new DatabaseSync(join(late.folder, 'summit.db'))
  other.exec('begin immediate')
  const closed = late.serving.close()
  expect(await late.answer).toContain('"response_code":5031')
  other.exec('rollback')
  await closed
})

test('and so is one at an address that is known, which is not routed', async () => {
  const body = '{"name":"x","created_by":1}'
  await using late = await begin(create, `Content-Length: ${body.length}\r\n\r\n${body}`)
  await expect.poll(() => late.heard.join('')).toContain('"response_code":1000')
  using other = new DatabaseSync(join(late.folder, 'summit.db'))
  other.exec('begin immediate')
  await late.send(`Content-Length: ${body.length}\r\n\r\n${body}`)
  const closed = late.serving.close()
  const answer = await late.answer
  expect(answer).toMatch(/^connection: close[\s\S]*"response_code":5031/im)
  other.exec('rollback')
  await closed
  // It was stored after all, as whoever looks for its id finds.
  const [, id] = /"request_id":"([^"]+)"/.exec(answer) ?? []
  expect(other.prepare('select kind from change where request_id = ?').all(id ?? '')).toEqual([
    { kind: 'topic.created' },
  ])
})

test('an upload to an address that is known is told so once, and nothing else becomes of it', async () => {
  const body = '{"name":"x","created_by":1}'
  await using slow = await begin(create, `Content-Length: ${body.length}\r\n\r\n${body}`)
  await expect.poll(() => slow.heard.join('')).toContain('"response_code":1000')
  await slow.send('Content-Length: 1000\r\n\r\n{"name":')
  await slow.serving.close()
  expect((await slow.answer).match(/"response_code":\d+/g)).toEqual(['"response_code":1000', '"response_code":5030'])
})

test.each(['made', 'failed'])(
  'a page that is not made in time is told so, and is counted with the time that it took; then it is %s',
  async (end) => {
    await using t = await testApp({ PAGE_CACHE_BYTES: '0' })
    const { database } = t.ctx
    const { snapshot, readCommitted } = database
    const held = Promise.withResolvers<never>()
    let isHeld = false
    const hold =
      (ask: Database['snapshot']): Database['snapshot'] =>
      (work) =>
        isHeld ? held.promise : ask(work)
    const counted = vi.spyOn(ResponseCounts.prototype, 'add')
    const ctx = {
      ...t.ctx,
      database: { ...database, snapshot: hold(snapshot), ...(readCommitted && { readCommitted: hold(readCommitted) }) },
    }
    const listening = await listen(ctx, { port: 0, timeoutMs: 300 })
    const ask = async () => (await fetch(`${listening.address}/api/newsfeeds/topics/0/10`)).json()
    expect(await ask()).toMatchObject([{ response_code: 1000 }])
    isHeld = true
    const asked = once(listening.app.server, 'request')
    const answer = ask()
    await asked
    const closed = listening.close()
    expect(await answer).toMatchObject([{ response_code: 5030 }])
    await closed
    const [refused] = counted.mock.calls.flat().filter(({ responseCode }) => responseCode === 5030)
    expect(refused?.ms).toBeGreaterThan(250)
    // What would be said now must not be: it would end the process.
    if (end === 'made') held.resolve({ text: '{}', parts: [] } as never)
    else held.reject(new Error('too late'))
    await new Promise(setImmediate)
    await new Promise(setImmediate)
    expect(counted).toHaveBeenCalledTimes(2)
  },
)

afterEach(() => void vi.restoreAllMocks())

test('a server that has closed does not keep its patience running, and so is let go of', async () => {
  await using place = await testPlace()
  const { config } = readConfig({ ...place.settings, PORT: '0', LOG_LEVEL: 'silent' })
  const timeoutMs = 12_345
  const serving = await serve(config, { timeoutMs })
  const begun = vi.spyOn(globalThis, 'setTimeout')
  const ended = vi.spyOn(globalThis, 'clearTimeout')
  await serving.close()
  // Whatever else of this process waits for something is not told apart otherwise.
  const waits = begun.mock.results.filter((_, nth) => begun.mock.calls[nth]?.[1] === timeoutMs)
  expect(waits).not.toHaveLength(0)
  for (const { value } of waits) expect(ended).toHaveBeenCalledWith(value)
})
