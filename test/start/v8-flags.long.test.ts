import { expect, test } from 'vitest'
import { createDataFolder } from '../faults/create-data-folder.ts'
import { type ReadyServer, startServer } from '../faults/server-process.ts'

/** Enough for V8 to collect statistics on their listeners, even in each of two workers. */
const clients = 150

/** Bytes in V8's old space, which holds objects that survived two collections. */
async function oldBytes({ url }: ReadyServer): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text()
  return Number(/^nodejs_heap_space_size_used_bytes\{space="old"\} (\d+)/m.exec(metrics)?.[1])
}

/** @param count per client, one after the other */
async function createTopics({ client }: ReadyServer, count: number): Promise<void> {
  const writer = async () => {
    for (let nth = 0; nth < count; nth++) await client.createTopic({ name: 'Lunch', body: 'Where to?', created_by: 1 })
  }
  await Promise.all(Array.from({ length: clients }, writer))
}

test.each([{}, { WORKERS: '2' }])(
  'the objects of a request are not promoted to the old space, with the flags of npm start (%j)',
  async (settings) => {
    await using folder = await createDataFolder()
    await using server = await startServer(folder.dir, settings)
    // Warm-up: compiled code and caches stay in memory, and V8 takes a while to decide on pretenuring.
    await createTopics(server, 120)
    const [rounds, count] = [10, 7]
    let growth = 0
    for (let round = 0; round < rounds; round++) {
      const before = await oldBytes(server)
      await createTopics(server, count)
      // A full collection shrinks the old space.
      growth += Math.max(0, (await oldBytes(server)) - before)
    }
    expect(growth / (rounds * count * clients), 'bytes per request').toBeLessThan(1_000)
  },
)
