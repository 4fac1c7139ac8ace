import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { copyFile, readFile, rename, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import * as make from '../make.ts'
import { waitUntil } from '../wait-until.ts'
import { workersOf } from './child-processes.ts'
import { createDataFolder } from './create-data-folder.ts'
import { createKeepAliveClient } from './keep-alive-client.ts'
import { Ledger } from './ledger.ts'
import { chooseSeed, createRandom } from './random.ts'
import { launchServer, type ReadyServer, startServer } from './server-process.ts'
import { createWriters } from './writers.ts'

const two = { WORKERS: '2' }

/** Sends a request on a connection of its own, which either worker may get. */
function request<T>({ url }: ReadyServer, send: (client: Client) => Promise<T>): Promise<T> {
  const target = createKeepAliveClient(url, { completed: 0, refused: 0, lost: [] }, { bodyMs: () => 0 })
  return send(target.client).finally(() => target[Symbol.dispose]())
}

test('a write that one worker acknowledged is in the next response of any worker', async () => {
  await using folder = await createDataFolder()
  await using server = await startServer(folder.dir, two)
  const { NewsFeed } = await server.client.createTopic({ name: 'version 0', created_by: 1 })
  const topic_id = Number(NewsFeed[0]?.id)
  for (let version = 1; version <= 100; version++) {
    const name = `version ${version}`
    await request(server, (client) => client.updateTopic({ topic_id, name }))
    const responses = await Promise.all([
      request(server, (client) => client.listTopics({ offset: 0, limit: 10 })),
      request(server, (client) => client.getTopic({ topic_id })),
    ])
    expect(responses.map(({ NewsFeed }) => NewsFeed[0]?.content.header)).toEqual([name, name])
  }
  const metrics = await (await fetch(`${server.url}/metrics`)).text()
  expect(metrics).toContain('summit_responses_total{operation="updateTopic",response_code="1000"} 100')
  expect(metrics).toMatch(/^process_cpu_seconds_total [\d.]+$/m)
})

test('200 simultaneous requests for the metrics get them, and nothing is logged', async () => {
  await using folder = await createDataFolder()
  await using server = await startServer(folder.dir, two)
  const requests = Array.from({ length: 200 }, async () => (await fetch(`${server.url}/metrics`)).text())
  for (const metrics of await Promise.all(requests)) expect(metrics).toContain('summit_responses_total')
  expect(server.stderr()).toBe('')
})

test('a worker that is killed is replaced, and no acknowledged write is lost', async () => {
  const seed = chooseSeed()
  await using folder = await createDataFolder()
  const ledger = new Ledger(folder)
  await using server = await startServer(folder.dir, two)
  const stop = new AbortController()
  const running = createWriters(ledger, createRandom(seed), 8, { aborts: true }).map((writer) =>
    writer.run(server, stop.signal),
  )
  await ledger.waitForWrites(50)

  const [first, second] = await workersOf(server)
  process.kill(first, 'SIGKILL')
  await waitUntil('the killed worker is gone', async () => !(await workersOf(server)).includes(first))
  expect(await workersOf(server)).toContain(second)
  await waitUntil('both workers run again', async () => (await workersOf(server)).length === 2)
  stop.abort()
  await Promise.all(running)

  expect(await ledger.resolveUnknown(server), `FAULT_SEED=${seed}`).toEqual([])
  expect(await ledger.checkAll(server), `FAULT_SEED=${seed}`).toEqual([])
  expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null })
})

test('a worker that starts after the database was removed does not create another one', async () => {
  await using folder = await createDataFolder()
  await using server = await startServer(folder.dir, two)
  const [first] = await workersOf(server)
  await rm(join(folder.dir, 'summit.db'))
  process.kill(first, 'SIGKILL')
  await waitUntil('the new worker has reported the missing database', async () =>
    server.stderr().includes('but summit.db is missing'),
  )
  expect(existsSync(join(folder.dir, 'summit.db'))).toBe(false)
})

test('while a worker cannot be replaced the others serve requests, and later it is replaced', async () => {
  await using folder = await createDataFolder()
  await using programs = await createDataFolder()
  const [node, away] = [join(programs.dir, 'node'), join(programs.dir, 'away')]
  await copyFile(process.execPath, node)
  await using server = await startServer(folder.dir, two, node)
  const [first, second] = await workersOf(server)
  // As during an upgrade of Node. A machine that cannot start another process has the same effect.
  await rename(node, away)
  process.kill(first, 'SIGKILL')
  await waitUntil('a restart fails', () => server.stdout().includes('worker failed to start; retrying'))
  expect(await workersOf(server)).toEqual([second])
  expect(
    await request(server, (client) => make.codeOf(client.call('createTopic', { name: 'Stored', created_by: 1 }))),
  ).toBe(1000)
  await rename(away, node)
  await waitUntil('both workers run again', async () => (await workersOf(server)).length === 2)
  expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null })
})

test('when the supervisor is killed its workers exit, and another supervisor can start', async () => {
  await using folder = await createDataFolder()
  await using server = await startServer(folder.dir, two)
  const { NewsFeed } = await server.client.createTopic({ name: 'Stored', created_by: 1 })
  const workers = await workersOf(server)
  await server.kill('SIGKILL')
  await using next = await startServer(folder.dir, two)
  expect((await next.client.listTopics({ offset: 0, limit: 1 })).NewsFeed).toMatchObject([{ id: NewsFeed[0]?.id }])
  for (const worker of workers) expect(await isRunning(worker)).toBe(false)
})

/** A process that has exited is a zombie (`Z`) until its new parent has waited for it. */
async function isRunning(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat !== '' && !/\) Z /.test(stat)
}

test('a port in use is reported in one line, although workers could share it', async () => {
  await using folder = await createDataFolder()
  const other = createServer().listen({ port: 0, host: '127.0.0.1', reusePort: true })
  await once(other, 'listening')
  const { port } = other.address() as { port: number }
  await using server = launchServer(folder.dir, { ...two, PORT: String(port) })
  expect(await server.exited).toEqual({ code: 1, signal: null })
  expect(server.stderr()).toBe(`Port ${port} is already in use. Set PORT to another one.\n`)
  other.close()
})
