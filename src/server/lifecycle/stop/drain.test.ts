import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { createTemporaryFolder } from '../../../../test/temporary-folder.ts'
import { startRecordedServer } from '../recorded-server.fixtures.ts'

/** A server with a short drain timeout, and a client that has sent (part of) a request. */
async function startRequest(head: string, body: string) {
  const folder = await createTemporaryFolder()
  const server = await startRecordedServer({ DATA_DIR: folder.path, LOG_LEVEL: 'info' }, { timeoutMs: 300 })
  const client = connect(Number(new URL(server.url).port), '127.0.0.1').setEncoding('utf8')
  const received: string[] = []
  client.on('data', (text: string) => received.push(text))
  const send = async (body: string) => {
    client.write(`${head} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${body}`)
    await once(server.serving.app.server, 'request')
  }
  await send(body)
  return {
    folder: folder.path,
    /** Closes the server. @returns the lines of its log */
    close: server.close,
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
  const closed = slow.close()
  const response = await slow.response
  expect(response).toMatch(/^HTTP\/1\.1 200 /)
  expect(response).toMatch(/^connection: close/im)
  expect(response).toMatch(/^retry-after: 1/im)
  expect(response).toContain('"response_code":5030')
  await closed
})

test('a write that is still waiting for the database when the timeout expires gets a 5031', async () => {
  const body = '{"name":"x","created_by":1}'
  await using late = await startRequest(create, `Content-Length: ${body.length}\r\n\r\n${body}`)
  using other = new DatabaseSync(join(late.folder, 'summit.db'))
  other.exec('begin immediate')
  const closed = late.close()
  expect(await late.response).toContain('"response_code":5031')
  other.exec('rollback')
  await closed
})

test('a second write on a reused connection gets a 5031 as well, and may still be stored', async () => {
  const body = '{"name":"x","created_by":1}'
  await using late = await startRequest(create, `Content-Length: ${body.length}\r\n\r\n${body}`)
  await expect.poll(() => late.received.join('')).toContain('"response_code":1000')
  using other = new DatabaseSync(join(late.folder, 'summit.db'))
  other.exec('begin immediate')
  await late.send(`Content-Length: ${body.length}\r\n\r\n${body}`)
  const closed = late.close()
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
  await slow.close()
  expect((await slow.response).match(/"response_code":\d+/g)).toEqual(['"response_code":1000', '"response_code":5030'])
})

test('a refused upload ends with its connection, is logged as 5030, and logs no error', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((type) => type === 'Timeout').length
  const before = timers()
  await using slow = await startRequest(create, 'Content-Length: 1000\r\n\r\n{"name":')
  const lines = await slow.close()
  expect(await slow.response).toContain('"response_code":5030')
  await expect.poll(timers).toBeLessThanOrEqual(before)
  expect(lines).toMatchObject([{ level: 30, operation: 'createTopic', response_code: 5030 }])
})
