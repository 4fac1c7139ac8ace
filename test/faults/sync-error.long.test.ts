import { expect, test } from 'vitest'
import { waitUntil } from '../wait-until.ts'
import { createDataFolder } from './create-data-folder.ts'
import { FaultyDisk, faultyDiskMissing } from './faulty-disk.ts'
import { Ledger } from './ledger.ts'
import { chooseSeed, createRandom } from './random.ts'
import { startServer } from './server-process.ts'
import { createWriters } from './writers.ts'

if (faultyDiskMissing) console.log(`skipped tests of sync errors: ${faultyDiskMissing}`)

/**
 * After a failed sync, the kernel drops the unwritten pages, and the next sync succeeds. SQLite fails one commit and
 * continues. A server that continued as well would acknowledge writes that are lost.
 */
test.skipIf(faultyDiskMissing).each([
  ['the log', 'summit.db-wal$'],
  ['the database file, at a checkpoint', 'summit.db$'],
  ['the bytes of an upload', '/blobs/staging/'],
  ['the folder of an upload', '/blobs/kept/'],
])('a server that cannot sync %s exits, and loses no acknowledged write', async (_, file) => {
  const seed = chooseSeed()
  await using folder = await createDataFolder()
  using disk = new FaultyDisk()
  const ledger = new Ledger(folder)
  const writers = createWriters(ledger, createRandom(seed), 8, { aborts: false })
  await using server = await startServer(folder.dir, disk.settings)
  const stop = new AbortController()
  const running = writers.map((writer) => writer.run(server, stop.signal))
  await ledger.waitForWrites(50)

  disk.failNextSync(file)
  await waitUntil('a sync fails', () => disk.hasFailedSync())
  const ended = await server.exited
  stop.abort()

  expect(ended, `FAULT_SEED=${seed}`).toEqual({ code: 1, signal: null })
  expect(server.stderr()).toMatch(/^Could not sync data to disk \(.+\)\. Check the disk, then .+\.\n$/)
  await Promise.all(running)
  await using next = await startServer(folder.dir)
  expect(await ledger.resolveUnknown(next), `FAULT_SEED=${seed}`).toEqual([])
  expect(await ledger.check(next), `FAULT_SEED=${seed}`).toEqual([])
  await waitUntil(
    'orphaned blobs have been removed',
    async () => (await ledger.checkBlobs()).withoutRow.length === 0,
    10_000,
  )
  expect((await ledger.checkBlobs()).withoutBytes).toEqual([])
})

/** What a killed server has written since its last sync may be in the page cache only. */
test.skipIf(faultyDiskMissing).each([
  ['the log', 'summit.db-wal$'],
  ['the database file', 'summit.db$'],
])(
  'a start that cannot sync %s of a server that was killed fails, and the next one finds its writes',
  async (_, file) => {
    await using folder = await createDataFolder()
    using disk = new FaultyDisk()
    await using killed = await startServer(folder.dir)
    const created = await killed.client.createTopic({ name: 'Lunch', created_by: 1 })
    await killed.kill('SIGKILL')
    disk.failNextSync(file)
    await expect(startServer(folder.dir, disk.settings)).rejects.toThrow(
      'The disk failed to read or write the database',
    )
    expect(disk.hasFailedSync()).toBe(true)
    await using next = await startServer(folder.dir, disk.settings)
    expect(await next.client.listTopics({ offset: 0, limit: 1 })).toEqual(created)
  },
)
