import { afterAll, beforeAll, expect } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { createTestStorage, startTestAppOn, type TestStorage } from '../app.ts'
import { type ReadyServer, startServer } from '../faults/server-process.ts'
import * as make from '../make.ts'

export const instanceCount = 4

export const lunch = { name: 'Lunch is served', created_by: 1 }

/** Four servers on one database, which they create. */
export interface Instances {
  storage: TestStorage
  servers: readonly ReadyServer[]
  client(index: number): Client
  /** The clients of all instances. */
  clients(): Client[]
}

/** Starts the instances before the tests of a file, and stops them afterwards. */
export function setUpFourInstances(): () => Instances {
  const servers: ReadyServer[] = []
  let storage: TestStorage | undefined
  beforeAll(async () => {
    const created = await createTestStorage({ isMigrated: false })
    storage = created
    const start = async () => servers.push(await startServer(created.dataDir, created.settings))
    await Promise.all(Array.from({ length: instanceCount }, start))
  })
  afterAll(async () => {
    for (const server of servers) await server.kill('SIGKILL')
    await storage?.[Symbol.asyncDispose]()
  })
  return () => {
    if (!storage) throw new Error('the instances have not started')
    const client = (index: number): Client => {
      const server = servers[index]
      if (!server) throw new Error(`instance ${index} has not started`)
      return server.client
    }
    return { storage, servers, client, clients: () => servers.map((server) => server.client) }
  }
}

/** Each instance creates topics. Every instance must list a topic as soon as it is acknowledged. */
export async function expectReadYourWrites({ clients }: Instances, topicsPerInstance: number): Promise<void> {
  const missing: string[] = []
  const write = async (client: Client, writer: number) => {
    for (let n = 0; n < topicsPerInstance; n++) {
      const { id } = make.only((await client.createTopic({ name: `${writer} ${n}`, created_by: 1 })).NewsFeed)
      for (const [reader, other] of clients().entries()) {
        const { NewsFeed } = await other.listTopics({ offset: 0, limit: 100 })
        if (!NewsFeed.some((topic) => topic.id === id)) missing.push(`topic ${n} of ${writer} at ${reader}`)
      }
    }
  }
  await Promise.all(clients().map(write))
  expect(missing).toEqual([])
}

/** Reads the change log, while each instance creates topics, from the last row seen. No row may be missed. */
export async function expectLogInOrder({ storage, clients }: Instances, topicsPerInstance: number): Promise<void> {
  await using t = await startTestAppOn(storage)
  const { database } = t.ctx
  const { id: since } = await database.position()
  let isWriting = true
  const writing = Promise.all(
    clients().map(async (client) => {
      for (let n = 0; n < topicsPerInstance; n++) await client.createTopic(lunch)
    }),
  ).finally(() => {
    isWriting = false
  })
  const seen: number[] = []
  for (let at = since; isWriting || at < (await database.position()).id; ) {
    const rows = await database.read.selectFrom('change').select('id').where('id', '>', at).orderBy('id').execute()
    seen.push(...rows.map(({ id }) => id))
    at = rows.at(-1)?.id ?? at
  }
  await writing
  const all = await database.read.selectFrom('change').select('id').where('id', '>', since).orderBy('id').execute()
  expect(seen).toEqual(all.map(({ id }) => id))
  expect(seen.length).toBe(instanceCount * topicsPerInstance)
}
