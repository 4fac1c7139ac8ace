import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { waitUntil } from '../wait-until.ts'
import { createDataFolder } from './create-data-folder.ts'
import { createKeepAliveClient, type Tally } from './keep-alive-client.ts'
import { Ledger } from './ledger.ts'
import { chooseSeed, createRandom, type Random } from './random.ts'
import { type ReadyServer, startServer } from './server-process.ts'
import { createWriters } from './writers.ts'

/** A little less than the server's `lingerMs`, as a request takes time to arrive. */
const lingerMs = 400

/** Stops a server while clients read, write and upload, and checks that no request on an open connection is lost. */
export async function shutDownUnderLoad({ clients, rounds }: { clients: number; rounds: number }): Promise<void> {
  const seed = chooseSeed()
  console.log(`SIGTERM: FAULT_SEED=${seed}`)
  const random = createRandom(seed)
  await using folder = await createDataFolder()
  const ledger = new Ledger(folder)
  const writers = createWriters(ledger, random, clients, { aborts: false })
  const stopMs: number[] = []
  let completed = 0

  for (let round = 1; round <= rounds; round++) {
    await using server = await startServer(folder.dir)
    const context = `round ${round} of FAULT_SEED=${seed}`
    const tally: Tally = { completed: 0, refused: 0, lost: [] }
    const stop = new AbortController()
    const running = writers.map(async (writer, index) => {
      // Every fifth client sends slowly, so that at any moment some bodies are incomplete.
      const bodyMs = index % 5 === 0 ? () => 200 : () => 0
      using target = createKeepAliveClient(server.url, tally, { bodyMs })
      await Promise.all([
        writer.run(target, stop.signal),
        index % 3 === 0 && readRepeatedly(server, tally, random, stop.signal),
      ])
    })
    await waitUntil('the clients get responses', () => tally.completed > clients)
    await sleep(random.int(100, 600))
    const before = performance.now()
    tally.lingerEnd = before + lingerMs
    const exit = await server.kill('SIGTERM')
    stopMs.push(Math.round(performance.now() - before))
    stop.abort()
    await Promise.all(running)

    completed += tally.completed
    expect(tally.lost, context).toEqual([])
    expect(exit, context).toEqual({ code: 0, signal: null })
    expect(server.stderr(), context).toBe('')

    await using next = await startServer(folder.dir)
    expect(await ledger.resolveUnknown(next), context).toEqual([])
    expect(await ledger.check(next), context).toEqual([])
    expect(await ledger.checkBlobs(), context).toEqual({ withoutBytes: [], withoutRow: [] })
  }
  console.log(`SIGTERM: stopped after ${stopMs.join(', ')} ms; ${completed} requests completed, 0 lost`)
}

/** With pauses, during which the connection is idle. */
async function readRepeatedly({ url }: ReadyServer, tally: Tally, random: Random, stop: AbortSignal): Promise<void> {
  using reader = createKeepAliveClient(url, tally, { bodyMs: () => 0 })
  while (!stop.aborted && tally.refused === 0) {
    await reader.client.call('listTopics', { offset: 0, limit: 20 }).catch(() => {})
    await sleep(random.int(0, 200))
  }
}
