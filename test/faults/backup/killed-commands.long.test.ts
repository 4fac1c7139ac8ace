import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { readCatalog } from '../../../src/server/commands/backup/catalog.ts'
import { readManifest } from '../../../src/server/commands/backup/manifest.ts'
import { openBackupStore } from '../../../src/server/commands/backup/open-backups.ts'
import { parseBackupTarget } from '../../../src/server/storage/blobs/backup-target.ts'
import { runSummit, runSummitInProcess } from '../../command.ts'
import { filesBelowIfAny, hasFileBelow } from '../../files-below.ts'
import * as make from '../../make.ts'
import { createTemporaryFolder } from '../../temporary-folder.ts'
import { waitUntil } from '../../wait-until.ts'
import { countIn, timeoutFor } from '../counts.ts'
import { createDataFolder } from '../create-data-folder.ts'
import { FaultyDisk, faultyDiskMissing } from '../faulty-disk.ts'
import { chooseSeed, createRandom } from '../random.ts'
import { startServer } from '../server-process.ts'
import { copyBackups, isServed, objectsIn, startSummitWithBackups, textFile } from './summit-with-backups.ts'

if (faultyDiskMissing) console.log(`skipped tests of killed backups: ${faultyDiskMissing}`)

const kills = countIn(import.meta.filename)

/** More changes than a command makes. */
const never = 1_000_000

/** The steps before which a command is killed: the last one, and a random one in each of as many equal parts. */
function chooseSteps(steps: number): number[] {
  expect(steps).toBeGreaterThan(100)
  const seed = chooseSeed()
  console.log(`killed command: FAULT_SEED=${seed}`)
  const random = createRandom(seed)
  const parts = kills - 1
  const chosen = Array.from({ length: parts }, (_, nth) => 1 + Math.floor(((nth + random.next()) * steps) / parts))
  return [...chosen, steps]
}

/** Reads every object of every backup. @returns their ids */
async function verifyAll(to: string): Promise<string[]> {
  await using scratch = await createTemporaryFolder()
  const store = await openBackupStore(parseBackupTarget(to), scratch.path, undefined)
  try {
    const entries = await readCatalog(store, await store.list())
    for (const { id, damage } of entries) {
      if (damage !== undefined) throw new Error(`${id}: ${damage}`)
      const manifest = await readManifest(store, id)
      for (const { name, ...content } of manifest.database) await store.verify(name, content)
      for (const { sha256, size } of manifest.files) await store.verify(store.fileName(sha256), { sha256, size })
    }
    return entries.map(({ id }) => id)
  } finally {
    await store.close()
  }
}

test.skipIf(faultyDiskMissing)(
  'a backup that is killed at any of its steps leaves the others whole, and the next one removes its remains',
  { timeout: timeoutFor(kills) },
  async () => {
    using disk = new FaultyDisk()
    await using summit = await startSummitWithBackups()
    const { to, settings, t } = summit
    const run = () => runSummit(['backup', to], { ...settings, ...disk.settings })
    const killAt = (steps: number) => disk.killAtStep(steps, 'backup')
    const addTopic = (nth: number) => make.topic(t, { name: `Topic ${nth}`, uploaded_files: [textFile(`file ${nth}`)] })
    const countSteps = async () => {
      killAt(never)
      expect(await run()).toMatchObject({ code: 0, err: '' })
      return never - disk.stepsLeft()
    }
    const stepsOfFirst = await countSteps()
    const first = await objectsIn(to)
    await addTopic(0)
    // The number varies, as a growing file is synced by the clock.
    const steps = Math.min(stepsOfFirst, await countSteps())
    let killed = 0
    for (const [index, at] of chooseSteps(steps).entries()) {
      const kill = index + 1
      await addTopic(kill)
      killAt(at)
      await run()
      if (disk.stepsLeft() <= 0) killed++
      expect(await verifyAll(to), `killed at step ${at} of ${steps}`).not.toEqual([])
      if (kill % 8 !== 0) continue
      killAt(never)
      expect(await run(), `after step ${at}`).toMatchObject({ code: 0, err: '' })
      expect(await readdir(join(to, 'staging')), `after step ${at}`).toEqual([])
      expect(await filesBelowIfAny(join(to, 'unnamed')), `after step ${at}`).toEqual([])
      expect(await readdir(join(t.dataDir, 'backup')), `after step ${at}`).toEqual([])
      // The files of the topics so far, one database and manifest for each backup, and the ledger.
      const [files, ids] = [4 + kill, await verifyAll(to)]
      expect(await objectsIn(to), `after step ${at}`).toHaveLength(files + 2 * ids.length + 1)
    }
    expect(killed).toBeGreaterThan(kills / 4)
    expect(await objectsIn(to)).not.toEqual(first)
    expect(await summit.backup('verify')).toMatchObject({ code: 0, err: '' })
  },
)

test.skipIf(faultyDiskMissing)(
  'a restore that is killed at any of its steps is not served, and completed by the same command',
  { timeout: timeoutFor(kills) },
  async () => {
    using disk = new FaultyDisk()
    await using summit = await startSummitWithBackups()
    expect(await summit.backup()).toMatchObject({ code: 0, err: '' })
    await using copy = await copyBackups(summit)
    const run = () => runSummit(['restore', copy.to, '--apply'], { ...copy.settings, ...disk.settings })
    disk.killAtStep(never, 'restored')
    expect(await run()).toMatchObject({ code: 0, err: '' })
    const steps = never - disk.stepsLeft()
    let killed = 0
    for (const at of chooseSteps(steps)) {
      const context = `killed at step ${at} of ${steps}`
      await rm(copy.restored.dataDir, { recursive: true })
      disk.killAtStep(at, 'restored')
      const { code } = await run()
      // A run may have fewer steps than the first, as a growing file is synced by the clock.
      if (code === 0) {
        expect(await isServed(copy.restored, context), context).toBe(true)
        continue
      }
      expect(code, context).toBe(null)
      killed++
      // Without secrets, a server would begin a new summit.
      if (hasSecrets(copy.restored.dataDir) && (await isServed(copy.restored, context))) continue
      const completed = await copy.restore('--apply')
      expect(completed, context).toMatchObject({ code: 0, err: '' })
      expect(await readdir(join(copy.restored.dataDir, 'backup')), context).toEqual([])
      expect(await runSummitInProcess(['check'], copy.settings), context).toMatchObject({ code: 0, err: '' })
    }
    expect(killed).toBeGreaterThan(kills / 4)
  },
)

test('a backup during which the server is killed is completed', async () => {
  await using folder = await createDataFolder()
  await using places = await createTemporaryFolder()
  const to = join(places.path, 'backups')
  await using server = await startServer(folder.dir)
  const { client } = server
  for (let n = 1; n <= 20; n++) await client.createTopic({ name: `Topic ${n}`, created_by: 1 })
  const backup = runSummit(['backup', to], { DATA_DIR: folder.dir })
  const hasBegun = () => hasFileBelow(join(folder.dir, 'backup'), 'summit.db')
  await waitUntil('the copy has begun', hasBegun)
  await server.kill('SIGKILL')
  expect(await backup).toMatchObject({ code: 0, err: '' })
  const { out } = await runSummit(['backup', 'show', to], { DATA_DIR: folder.dir })
  expect(out).toMatch(/^ {2}topic +20 rows/m)
  await using next = await startServer(folder.dir)
  expect((await next.client.listTopics({ offset: 0, limit: 100 })).NewsFeed).toHaveLength(20)
})

describe('a backup that is ended leaves no copy of the database', () => {
  const hasCopy = (dir: string) => hasFileBelow(dir, 'summit.db')
  /** The server creates its key when it starts. */
  const hasServer = (dir: string) => hasFileBelow(dir, 'signature.key')

  test.each([
    ['SIGINT', 'while the database is copied', hasCopy],
    ['SIGTERM', 'while a server runs on the copy', hasServer],
    ['SIGHUP', 'while a server runs on the copy', hasServer],
  ] as const)('by %s %s', async (signal, _, isReached) => {
    await using summit = await startSummitWithBackups()
    const scratch = join(summit.t.dataDir, 'backup')
    const { promise: started, resolve: start } = Promise.withResolvers<ChildProcess>()
    const backup = runSummit(['backup', summit.to], summit.settings, start)
    const child = await started
    await waitUntil('the backup has come to this', () => isReached(scratch))
    child.kill(signal)
    expect(await backup).toMatchObject({ code: null })
    expect(child.signalCode).toBe(signal)
    expect(await readdir(scratch)).toEqual([])
    expect(await summit.backup()).toMatchObject({ code: 0, err: '' })
  })
})

/** Whether anything of a summit was written to the database, if there is one. */
function hasSecrets(dataDir: string): boolean {
  const file = join(dataDir, 'summit.db')
  if (!existsSync(file)) return false
  const database = new DatabaseSync(file)
  try {
    const table = database.prepare("select 1 from sqlite_schema where name = 'secret'").get()
    return table !== undefined && database.prepare('select 1 from secret').get() !== undefined
  } finally {
    database.close()
  }
}
