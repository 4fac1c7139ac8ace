import { connect, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestApp } from '../../../../../test/app.ts'
import * as make from '../../../../../test/make.ts'
import { startAppOnServer } from '../../../../../test/postgres/app.ts'
import { PostgresServer } from '../../../../../test/postgres/server.ts'
import { startTcpProxy } from '../../../../../test/tcp-proxy.ts'
import { waitUntil } from '../../../../../test/wait-until.ts'

let server: PostgresServer
beforeAll(async () => {
  server = await PostgresServer.start()
})
afterAll(() => server[Symbol.asyncDispose]())

const lunch = { name: 'Lunch is served', created_by: 1 }

/** A summit on the server of this file, connected through `port` if given. */
const summit = (port?: number) => startAppOnServer(server, port)

/**
 * A proxy between Summit and PostgreSQL. `cut` decides by the bytes that Summit sends whether to lose the connection
 * before or after them.
 */
async function lossyProxy(cut: (sent: string) => 'before' | 'after' | undefined) {
  const sockets = new Set<Socket>()
  const proxy = createServer((near) => {
    const far = connect(Number(new URL(server.url()).port), '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => [near, far].map((end) => end.destroy()))
    }
    far.pipe(near)
    near.on('data', (bytes) => {
      const when = cut(bytes.toString('latin1'))
      if (when === 'after') far.unpipe(near)
      if (when !== 'before') far.write(bytes)
      if (when !== undefined) setTimeout(() => near.destroy(), 200)
    })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const address = proxy.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      proxy.close()
    },
  }
}

/** Connections to it are refused. */
const portOfNobody = 1

const topics = async (t: TestApp) => (await t.client.listTopics({ offset: 0, limit: 100 })).NewsFeed.length

test.each(['SIGINT', 'SIGQUIT'] as const)(
  'a server restart by %s between requests causes no failure',
  async (signal) => {
    await using t = await summit()
    await t.client.createTopic(lunch)
    await server.down(signal)
    await server.up()
    expect(await topics(t)).toBe(1)
    expect(await make.codeOf(t.client.call('createTopic', lunch))).toBe(1000)
  },
)

test('requests wait for a server that is away for a moment', async () => {
  await using proxy = await startTcpProxy(server.port)
  await using t = await summit(proxy.port)
  proxy.redirectTo(portOfNobody)
  proxy.cut()
  const responses = [t.client.call('listTopics', { offset: 0, limit: 1 }), t.client.call('createTopic', lunch)]
  await waitUntil('both have lost a connection', () => proxy.connections() >= responses.length)
  proxy.redirectTo(server.port)
  expect(await Promise.all(responses.map(make.codeOf))).toEqual([1000, 1000])
})

test('while the server is down requests fail, and they succeed when it is back', async () => {
  await using t = await summit()
  await server.down()
  const responses = [t.client.call('listTopics', { offset: 0, limit: 1 }), t.client.call('createTopic', lunch)]
  expect(await Promise.all(responses.map(make.codeOf))).toEqual([5030, 5030])
  expect((await fetch(`${t.url}/readyz`)).status).toBe(503)
  await server.up()
  expect(await make.codeOf(t.client.call('createTopic', lunch))).toBe(1000)
})

test('while the server hangs requests fail, and their writes are not applied later', async () => {
  let hangs = false
  await using frozen = await lossyProxy(() => (hangs ? 'after' : undefined))
  await using t = await summit(frozen.port)
  await t.client.createTopic(lunch)
  hangs = true
  const responses = [t.client.call('listTopics', { offset: 0, limit: 1 }), t.client.call('createTopic', lunch)]
  expect(await Promise.all(responses.map(make.codeOf))).toEqual([5030, 5030])
  hangs = false
  expect(await topics(t)).toBe(1)
})

test.each([
  ['before the commit arrives', 'before', 1],
  ['after the commit arrived', 'after', 2],
] as const)('a connection that is lost %s leaves the outcome unknown, and the file stored', async (_, when, stored) => {
  let armed = false
  await using cut = await lossyProxy((sent) => (armed && /\0commit\0|^Q....commit/s.test(sent) ? when : undefined))
  await using t = await summit(cut.port)
  await t.client.createTopic(lunch)
  armed = true
  const sent = t.client.call('createTopic', lunch, { files: [new File(['Hello'], 'a.txt')], idempotencyKey: 'once' })
  const { envelope } = await sent
  armed = false
  expect(envelope).toMatchObject({ response_code: 5031, data: { reason: 'OUTCOME_UNKNOWN' } })
  expect(await topics(t)).toBe(stored)
  // The rows may be stored, so the bytes must be, and their pending key for the next start.
  const blobs = await make.blobs(t)
  expect(blobs.filter((path) => path.includes('/kept/'))).toHaveLength(1)
  expect(blobs.filter((path) => path.includes('/unnamed/'))).toHaveLength(1)
  const again = await t.client.call('createTopic', lunch, {
    files: [new File(['Hello'], 'a.txt')],
    idempotencyKey: 'once',
  })
  expect([again.envelope.response_code, again.headers.get('idempotency-replayed')]).toEqual([
    1000,
    stored === 2 ? 'true' : null,
  ])
  expect(await topics(t)).toBe(2)
})

test('a statement is planned again after a newer Summit has added a column', async () => {
  await using t = await summit()
  for (let n = 0; n < 7; n++) await t.client.createTopic(lunch)
  await server.query('alter table topic add column pinned integer not null default 0', t.database)
  expect(await topics(t)).toBe(7)
  await make.codeOf(t.client.call('createTopic', lunch))
  expect(await make.codeOf(t.client.call('createTopic', lunch))).toBe(1000)
})
