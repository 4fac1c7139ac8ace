import { expect, test } from 'vitest'
import { type ReadyServer, startServer } from './faults/server-process.ts'
import { temporaryFolder } from './faults/temporary-folder.ts'

/** So many that V8 takes note of their listeners, in each of two workers as well. */
const clients = 150

/** Bytes in the memory of what has outlived two collections. */
async function oldBytes({ url }: ReadyServer): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text()
  return Number(/^nodejs_heap_space_size_used_bytes\{space="old"\} (\d+)/m.exec(metrics)?.[1])
}

/** @param count of each client, one after the other */
async function createTopics({ client }: ReadyServer, count: number): Promise<void> {
  const writer = async () => {
    for (let nth = 0; nth < count; nth++) await client.createTopic({ name: 'Lunch', body: 'Where to?', created_by: 1 })
  }
  await Promise.all(Array.from({ length: clients }, writer))
}

test.each([{}, { WORKERS: '2' }])(
  'of what a request has made, nothing grows old (%j)',
  async (settings) => {
    await using folder = await temporaryFolder()
    await using server = await startServer(folder.dir, settings)
    // Until then compiled code and the like comes to be, which stays.
    await createTopics(server, 40)
    const [rounds, count] = [10, 7]
    let grown = 0
    for (let round = 0; round < rounds; round++) {
      const before = await oldBytes(server)
      await createTopics(server, count)
      // It shrinks in a full collection.
      grown += Math.max(0, (await oldBytes(server)) - before)
    }
    expect(grown / (rounds * count * clients), 'bytes a request').toBeLessThan(1_000)
  },
  60_000,
)
