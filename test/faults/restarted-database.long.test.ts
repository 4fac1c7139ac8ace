import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { PostgresServer } from '../postgres/server.ts'
import { DataOnServer } from './data-on-server.ts'
import { Ledger } from './ledger.ts'
import { randomFrom, seedOfRun } from './random.ts'
import { type ReadyServer, startServer, type Target } from './server-process.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { writersOf } from './writers.ts'

/** `FAULT_CYCLES=20` is the full test. */
const cycles = Math.min(Number(process.env.FAULT_CYCLES ?? 1), 20)
const writers = 8
const longestMs = 5_000
/** At least so many are acknowledged before the database goes away. */
const writesOfCycle = 10

test(`two servers write, their database is restarted ${cycles} times: what was acknowledged is there, once`, {
  timeout: 60_000 + cycles * 30_000,
}, async () => {
  const seed = seedOfRun()
  console.log(`restarts of the database: FAULT_SEED=${seed} FAULT_CYCLES=${cycles}`)
  const random = randomFrom(seed)
  await using postgres = await PostgresServer.start()
  await postgres.query('create database summit')
  await using place = await temporaryFolder()
  const folder = new DataOnServer(place.dir, postgres.url('summit'))
  const settings = { DATABASE_URL: postgres.url('summit') }
  const servers = [await startServer(place.dir, settings), await startServer(place.dir, settings)]
  const times: number[] = []
  const targets = servers.map((server) => timed(server, times))
  const target = (index: number): Target => targets[index % targets.length] ?? timed(servers[0] as ReadyServer, times)

  const ledger = new Ledger(folder)
  const clients = writersOf(ledger, random, writers, { aborts: false })
  try {
    for (let cycle = 1; cycle <= cycles; cycle++) {
      const context = `cycle ${cycle} of FAULT_SEED=${seed}`
      const stop = new AbortController()
      const running = [
        ...clients.map((client, index) => client.run(target(index), stop.signal)),
        ...targets.map((one) => readAlways(one, stop.signal)),
      ]
      const before = ledger.counts.ok
      await sleep(random.int(100, 800))
      // On a slow machine that alone may be too short for any write.
      await expect.poll(() => ledger.counts.ok - before, { timeout: 20_000 }).toBeGreaterThanOrEqual(writesOfCycle)
      await postgres.down(random.chance(0.5) ? 'SIGINT' : 'SIGQUIT')
      await sleep(random.chance(0.2) ? random.int(2_000, 4_000) : random.int(0, 300))
      await postgres.up()
      await sleep(random.int(100, 300))
      stop.abort()
      await Promise.all(running)
      expect(await ledger.settle(target(cycle)), context).toEqual([])
      expect(await ledger.check(target(cycle + 1)), context).toEqual([])
      expect((await ledger.checkBlobs()).withoutBytes, context).toEqual([])
    }
    expect(await ledger.checkAll(target(0))).toEqual([])
    // Unavailable, and for a delete that was unknown and took place after all, gone.
    expect([...ledger.failures.keys()].filter((code) => code !== 5030 && code !== 4040)).toEqual([])
    expect(times.filter((ms) => ms >= longestMs)).toEqual([])
  } finally {
    for (const server of servers) await server.kill('SIGKILL')
    const at = (share: number) => Math.round(times.toSorted((a, b) => a - b)[Math.ceil(times.length * share) - 1] ?? 0)
    const { counts, failures } = ledger
    console.log(
      `restarts of the database: ${times.length} requests, ${at(0.5)} ms (p50), ${at(0.99)} ms (p99), ${at(1)} ms (max); ` +
        `writes ${JSON.stringify(counts)}; failures ${JSON.stringify([...failures])}`,
    )
  }
})

/** The same server, with each answer's time taken. */
function timed({ url }: Target, times: number[]): Target {
  const timedFetch: typeof fetch = async (input, init) => {
    const started = performance.now()
    try {
      return await fetch(input, { ...init, signal: AbortSignal.timeout(20_000) })
    } finally {
      times.push(performance.now() - started)
    }
  }
  return { url, client: createClient(url, { fetch: timedFetch }) }
}

/** Somebody reads all the while; that may be unavailable, and nothing else. */
async function readAlways({ client }: Target, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    const { envelope } = await client.call('listTopics', { offset: 0, limit: 5 })
    expect([1000, 5030]).toContain(envelope.response_code)
  }
}
