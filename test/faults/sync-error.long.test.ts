import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { FaultyDisk, noFaultyDisk } from './faulty-disk.ts'
import { Ledger } from './ledger.ts'
import { randomFrom, seedOfRun } from './random.ts'
import { startServer } from './server-process.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { until } from './until.ts'
import { writersOf } from './writers.ts'

if (noFaultyDisk) console.log(`sync errors are not tried: ${noFaultyDisk}`)

/**
 * The kernel reports a sync that failed once, drops what it could not write, and says yes to the next one. SQLite
 * fails that one commit and goes on. So whoever goes on acknowledging after it promises what it cannot keep.
 */
test.skipIf(noFaultyDisk).each([
  ['the log', 'summit.db-wal$'],
  ['the database file, at a checkpoint', 'summit.db$'],
  ['the bytes of an upload', '/blobs/staging/'],
  ['the folder of an upload', '/blobs/kept/'],
])('once %s cannot be synced the server acknowledges nothing more and ends', { timeout: 60_000 }, async (_, file) => {
  const seed = seedOfRun()
  await using folder = await temporaryFolder()
  using disk = new FaultyDisk()
  const ledger = new Ledger(folder)
  const writers = writersOf(ledger, randomFrom(seed), 8, { aborts: false })
  await using server = await startServer(folder.dir, disk.settings)
  const stop = new AbortController()
  const running = writers.map((writer) => writer.run(server, stop.signal))
  await sleep(300)

  disk.failNextSync(file)
  await until('a sync fails', () => disk.hasFailedSync(), 30_000)
  const ended = await Promise.race([server.exited, sleep(1_000, 'still runs after 1 s')])
  stop.abort()

  expect(ended, `FAULT_SEED=${seed}`).toEqual({ code: 1, signal: null })
  expect(server.stderr()).toMatch(/^Could not sync data to disk \(.+\)\. Check the disk, then .+\.\n$/)
  await Promise.all(running)
  await using next = await startServer(folder.dir)
  expect(await ledger.settle(next), `FAULT_SEED=${seed}`).toEqual([])
  expect(await ledger.check(next), `FAULT_SEED=${seed}`).toEqual([])
  await until('blobs without a row are gone', async () => (await ledger.checkBlobs()).withoutRow.length === 0, 10_000)
  expect((await ledger.checkBlobs()).withoutBytes).toEqual([])
})
