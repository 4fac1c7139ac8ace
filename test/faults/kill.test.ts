import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { DataFolder } from './data-folder.ts'
import { Ledger } from './ledger.ts'
import { type Random, randomFrom, seedOfRun } from './random.ts'
import { launch, startServer } from './server-process.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { until } from './until.ts'
import { writersOf } from './writers.ts'

/** `FAULT_CYCLES=100` is the short form of the full test, 1000 the long one. */
const cycles = Number(process.env.FAULT_CYCLES ?? 2)
const writers = 8

/** What an upload left behind when the server was killed is gone this long after the next one is ready. */
const sweptWithinMs = 10_000

test(`${writers} clients write, the server is killed ${cycles} times: what it acknowledged is there, once`, {
  timeout: 60_000 + cycles * 20_000,
}, async () => {
  const seed = seedOfRun()
  console.log(`kill -9: FAULT_SEED=${seed} FAULT_CYCLES=${cycles}`)
  const random = randomFrom(seed)
  await using folder = await temporaryFolder()
  const ledger = new Ledger(folder)
  const clients = writersOf(ledger, random, writers, { aborts: true })
  const timings = { ready: [] as number[], swept: [] as number[] }

  let server = await startServer(folder.dir)
  try {
    for (let cycle = 1; cycle <= cycles; cycle++) {
      const context = `cycle ${cycle} of FAULT_SEED=${seed}`
      const stop = new AbortController()
      const running = clients.map((client) => client.run(server, stop.signal))
      await sleep(random.int(20, 500))
      // Had it ended before that, and by itself, its exit would say so.
      expect(await server.kill('SIGKILL'), `${context}: ${server.stderr()}`).toEqual({ code: null, signal: 'SIGKILL' })
      stop.abort()
      await Promise.all(running)
      if (random.chance(0.2)) await killWhileStarting(folder.dir, random, timings.ready.at(-1) ?? server.readyMs)

      server = await startServer(folder.dir)
      timings.ready.push(server.readyMs)
      timings.swept.push(await sweptAfter(ledger, folder))
      expect(await ledger.settle(server), context).toEqual([])
      expect(await ledger.check(server), context).toEqual([])
      expect(await ledger.checkBlobs(), context).toEqual({ withoutBytes: [], withoutRow: [] })
      expect(await folder.stagedBlobs(), context).toEqual([])
      expect(await folder.integrity(), context).toBe('ok')
    }
    expect(await ledger.checkAll(server)).toEqual([])
    expect([...ledger.failures.keys()].filter((code) => code !== 4040)).toEqual([])
    expect(server.stderr()).toBe('')
  } finally {
    await server.kill('SIGKILL')
    report(ledger, timings)
  }
})

/** A start is a moment to be killed at like any other. */
async function killWhileStarting(dir: string, random: Random, readyMs: number): Promise<void> {
  await using starting = launch(dir)
  await sleep(readyMs * (0.5 + 0.6 * random.next()))
  await starting.kill('SIGKILL')
}

/** @returns how long after the server was ready the last blob without a row was gone, in milliseconds */
const sweptAfter = (ledger: Ledger, folder: DataFolder): Promise<number> =>
  until(
    'no blob is without a row, and none staged',
    async () => [...(await ledger.checkBlobs()).withoutRow, ...(await folder.stagedBlobs())].length === 0,
    sweptWithinMs,
  )

function report({ counts }: Ledger, { ready, swept }: Record<'ready' | 'swept', number[]>): void {
  const at = (values: number[], share: number) =>
    Math.round(values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0)
  console.log(
    `kill -9: ${ready.length} restarts, ready after ${at(ready, 0.5)} ms (p50), ${at(ready, 0.99)} ms (p99), ` +
      `${at(ready, 1)} ms (max); swept ${at(swept, 1)} ms later (max); writes ${JSON.stringify(counts)}`,
  )
}
