import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { PostgresServer } from '../postgres/server.ts'
import { waitUntil } from '../wait-until.ts'
import { countIn } from './counts.ts'
import { createDataFolder } from './create-data-folder.ts'
import { DataOnServer } from './data-on-server.ts'
import { Ledger } from './ledger.ts'
import { percentile } from './percentile.ts'
import { chooseSeed, createRandom } from './random.ts'
import { type ReadyServer, startServer, type Target } from './server-process.ts'
import { createWriters } from './writers.ts'

const restarts = countIn(import.meta.filename)
const writers = 8
/** Acknowledged before the database stops. */
const minWritesPerCycle = 10

test(`two servers whose database restarts ${restarts} times lose no acknowledged write and apply none twice`, async () => {
  const seed = chooseSeed()
  console.log(`database restarts: FAULT_SEED=${seed}`)
  const random = createRandom(seed)
  await using postgres = await PostgresServer.start()
  await postgres.query('create database summit')
  await using place = await createDataFolder()
  const folder = new DataOnServer(place.dir, postgres.url('summit'))
  const settings = { DATABASE_URL: postgres.url('summit') }
  const servers = [await startServer(place.dir, settings), await startServer(place.dir, settings)]
  const times: number[] = []
  const targets = servers.map((server) => timed(server, times))
  const target = (index: number): Target => targets[index % targets.length] ?? timed(servers[0] as ReadyServer, times)

  const ledger = new Ledger(folder)
  const clients = createWriters(ledger, random, writers, { aborts: false })
  try {
    for (let restart = 1; restart <= restarts; restart++) {
      const context = `restart ${restart} of FAULT_SEED=${seed}`
      const stop = new AbortController()
      const running = [
        ...clients.map((client, index) => client.run(target(index), stop.signal)),
        ...targets.map((target) => readContinuously(target, stop.signal)),
      ]
      const before = ledger.counts.ok
      await sleep(random.int(100, 800))
      // On a slow machine, no write may have completed by then.
      await waitUntil('writes are acknowledged', () => ledger.counts.ok - before >= minWritesPerCycle)
      await postgres.down(random.chance(0.5) ? 'SIGINT' : 'SIGQUIT')
      await sleep(random.chance(0.2) ? random.int(2_000, 4_000) : random.int(0, 300))
      await postgres.up()
      await sleep(random.int(100, 300))
      stop.abort()
      await Promise.all(running)
      expect(await ledger.resolveUnknown(target(restart)), context).toEqual([])
      expect(await ledger.check(target(restart + 1)), context).toEqual([])
      expect((await ledger.checkBlobs()).withoutBytes, context).toEqual([])
    }
    expect(await ledger.checkAll(target(0))).toEqual([])
    // 5030: unavailable. 4040: the repeated delete of a record that the first, unacknowledged one had deleted.
    expect([...ledger.failures.keys()].filter((code) => code !== 5030 && code !== 4040)).toEqual([])
  } finally {
    for (const server of servers) await server.kill('SIGKILL')
    const { counts, failures } = ledger
    console.log(
      `database restarts: ${times.length} requests, ${percentile(times, 50)} ms (p50), ${percentile(times, 99)} ms (p99), ` +
        `${percentile(times, 100)} ms (max); writes ${JSON.stringify(counts)}; failures ${JSON.stringify([...failures])}`,
    )
  }
})

/** The same server, with the duration of each request appended to `times`. */
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

/** Reads until stopped; every response is a success or `UNAVAILABLE`. */
async function readContinuously({ client }: Target, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    const { envelope } = await client.call('listTopics', { offset: 0, limit: 5 })
    expect([1000, 5030]).toContain(envelope.response_code)
  }
}
