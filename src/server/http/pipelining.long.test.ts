import { once } from 'node:events'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { create, headersOf, newest, startWithBlockedWrites } from '../../../test/http/pipelined-requests.ts'

test('a client that pipelines thousands of requests gets all responses', async () => {
  await using t = await startTestApp()
  const many = 1_500
  const seen = await headersOf(t, [create('T'), ...Array.from({ length: many }, () => newest)])
  expect(seen).toHaveLength(many + 1)
})

test('only a bounded number of requests is read behind a slow one', async () => {
  const many = 3_000
  await using t = await startWithBlockedWrites(create('T') + newest.repeat(many))
  await expect.poll(() => t.arrived.length).toBeGreaterThan(100)
  // While the server responds to these, it would read everything that has arrived.
  for (let nth = 0; nth < 50; nth++) await fetch(`${t.serving.address}/healthz`)
  expect(t.arrived.length).toBeLessThan(many / 2)
  t.database.exec('rollback')
  await expect.poll(t.countResponses).toBe(many + 1)
})

describe('a request that has arrived, but was not read in the time that its client has to send it,', () => {
  test('gets a response if it is behind requests that take long', async () => {
    const many = 3_000
    await using t = await startWithBlockedWrites(create('T') + newest.repeat(many))
    const { server } = t.serving.app
    server.headersTimeout = 1
    await once(server, 'clientError')
    t.database.exec('rollback')
    await expect.poll(t.countResponses).toBe(many + 1)
  })

  test('gets a response if the process was stopped meanwhile', async () => {
    await using t = await startWithBlockedWrites('')
    const { server } = t.serving.app
    await expect.poll(() => promisify(server.getConnections.bind(server))()).toBe(1)
    server.headersTimeout = 1
    const expired = once(server, 'clientError')
    // From here, the event loop runs timers before it reads.
    await new Promise(setImmediate)
    t.client.write(newest)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_500)
    await expired
    await expect.poll(t.countResponses).toBe(1)
  })
})
