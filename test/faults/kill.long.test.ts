import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { waitUntil } from '../wait-until.ts'
import { countIn, timeoutFor } from './counts.ts'
import { createDataFolder } from './create-data-folder.ts'
import type { DataFolder } from './data-folder.ts'
import { Ledger } from './ledger.ts'
import { percentile } from './percentile.ts'
import { chooseSeed, createRandom, type Random } from './random.ts'
import { launchServer, startServer } from './server-process.ts'
import { createWriters } from './writers.ts'

const kills = countIn(import.meta.filename)
const writers = 8

/** Orphaned blobs are removed this long after the server is ready. */
const removalDeadlineMs = 10_000

// Kills a server while clients write to it, and checks after each restart that every acknowledged write is stored
// exactly once.
test(`a server that is killed ${kills} times loses no acknowledged write and applies none twice`, {
  timeout: timeoutFor(kills),
}, async () => {
  const seed = chooseSeed()
  console.log(`kill -9: FAULT_SEED=${seed}`)
  const random = createRandom(seed)
  await using folder = await createDataFolder()
  const ledger = new Ledger(folder)
  const clients = createWriters(ledger, random, writers, { aborts: true })
  const timings: Timings = { ready: [], removal: [] }

  let server = await startServer(folder.dir)
  try {
    for (let kill = 1; kill <= kills; kill++) {
      const context = `kill ${kill} of FAULT_SEED=${seed}`
      const stop = new AbortController()
      const running = clients.map((client) => client.run(server, stop.signal))
      await sleep(random.int(20, 500))
      // If the server had exited by itself before, this would show its exit code.
      expect(await server.kill('SIGKILL'), `${context}: ${server.stderr()}`).toEqual({ code: null, signal: 'SIGKILL' })
      stop.abort()
      await Promise.all(running)
      if (random.chance(0.2)) await killDuringStartUp(folder.dir, random, timings.ready.at(-1) ?? server.readyMs)

      server = await startServer(folder.dir)
      timings.ready.push(server.readyMs)
      timings.removal.push(await waitForRemovalOfOrphans(ledger, folder))
      expect(await ledger.resolveUnknown(server), context).toEqual([])
      expect(await ledger.check(server), context).toEqual([])
      expect(await ledger.checkBlobs(), context).toEqual({ withoutBytes: [], withoutRow: [] })
      expect(await folder.stagedBlobs(), context).toEqual([])
      expect(await folder.integrity(), context).toBe('ok')
      // Those of a release take up to an hour.
      if (kill % 100 === 0 && kill < kills) report(ledger, timings)
    }
    expect(await ledger.checkAll(server)).toEqual([])
    expect([...ledger.failures.keys()].filter((code) => code !== 4040)).toEqual([])
    expect(server.stderr()).toBe('')
  } finally {
    await server.kill('SIGKILL')
    report(ledger, timings)
  }
})

async function killDuringStartUp(dir: string, random: Random, readyMs: number): Promise<void> {
  await using starting = launchServer(dir)
  await sleep(readyMs * (0.5 + 0.6 * random.next()))
  await starting.kill('SIGKILL')
}

/** @returns how long it took after the server was ready, in milliseconds */
const waitForRemovalOfOrphans = (ledger: Ledger, folder: DataFolder): Promise<number> =>
  waitUntil(
    'no blob is orphaned, and none is staged',
    async () => [...(await ledger.checkBlobs()).withoutRow, ...(await folder.stagedBlobs())].length === 0,
    removalDeadlineMs,
  )

/** In milliseconds. */
interface Timings {
  ready: number[]
  removal: number[]
}

function report({ counts }: Ledger, { ready, removal }: Timings): void {
  console.log(
    `kill -9: ${ready.length} restarts, ready after ${percentile(ready, 50)} ms (p50), ${percentile(ready, 99)} ms ` +
      `(p99), ${percentile(ready, 100)} ms (max); orphans removed ${percentile(removal, 100)} ms later (max); ` +
      `writes ${JSON.stringify(counts)}`,
  )
}
