import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test, vi } from 'vitest'
import { createTestStorage } from '../../../test/app.ts'
import { readConfig } from '../config/config.ts'
import { serve } from './serve.ts'
import { defaultTimeoutMs } from './stop/drain.ts'

const listTopics = 'GET /api/newsfeeds/topics/0/10 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'

/** Sends requests on one new connection after the other, until none is accepted. @returns the number of responses */
async function requestUntilRefused(address: string, head: string): Promise<number> {
  for (let responses = 0; ; responses++) {
    const socket = connect(Number(new URL(address).port), '127.0.0.1')
    socket.write(head)
    const received = await text(socket).catch((error: unknown) => {
      if (socket.bytesRead > 0) throw error
    })
    if (received === undefined) return responses
    expect(received).toMatch(/^HTTP\/1\.1 200 /)
  }
}

afterEach(() => void vi.useRealTimers())

test.each([
  ['after each response', listTopics],
  ['as soon as their idle connection is closed', listTopics.replace('Connection: close\r\n', '')],
])('clients that reconnect %s do not block a shutdown, and get every response that has begun', async (_, head) => {
  await using storage = await createTestStorage()
  const { config } = readConfig({ ...storage.settings, PORT: '0', LOG_LEVEL: 'silent' })
  const serving = await serve(config, { lingerMs: 100 })
  let requests = 0
  serving.app.server.on('request', () => requests++)
  const clients = Array.from({ length: 3 }, () => requestUntilRefused(serving.address, head))
  await expect.poll(() => requests).toBeGreaterThanOrEqual(clients.length)
  const started = performance.now()
  await serving.close()
  expect(performance.now() - started).toBeLessThan(defaultTimeoutMs)
  for (const responses of await Promise.all(clients)) expect(responses).toBeGreaterThan(0)
})
