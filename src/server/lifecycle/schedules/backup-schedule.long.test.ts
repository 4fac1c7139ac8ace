import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { createTestStorage, startTestAppOn } from '../../../../test/app.ts'
import { runSummitInProcess } from '../../../../test/command.ts'
import { FaultyDisk, faultyDiskMissing } from '../../../../test/faults/faulty-disk.ts'
import { hasFileBelow } from '../../../../test/files-below.ts'
import * as make from '../../../../test/make.ts'
import { processesWith } from '../../../../test/processes.ts'
import { createTemporaryFolder } from '../../../../test/temporary-folder.ts'
import { waitUntil } from '../../../../test/wait-until.ts'
import { tryLockForMaintenance } from '../../storage/db/locks.ts'
import { startRecordedServer } from '../recorded-server.fixtures.ts'

// A server that makes backups by itself, by the real command. Only its timers are advanced by the tests.

/** A backup has a low priority: on a busy machine it may take minutes. */
const backupMs = 300_000

const [firstMs, retryMs, everyMs] = [10_000, 600_000, 3_600_000]

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
})

/** A summit with a topic, and a server that is to make backups in a folder where there are none. */
async function startSummit(environment: Record<string, string> = {}) {
  await using opened = new AsyncDisposableStack()
  const storage = opened.use(await createTestStorage())
  const folder = opened.use(await createTemporaryFolder())
  {
    await using t = await startTestAppOn(storage)
    await make.topic(t, { uploaded_files: [{ name: 'a.txt', data: 'SGVsbG8=' }] })
  }
  const to = join(folder.path, 'backups')
  const settings = { ...storage.settings, PORT: '0', BACKUP_TO: to, BACKUP_EVERY: '1h' }
  // The command inherits the environment of the server, which is that of the tests.
  for (const [name, value] of Object.entries({ ...settings, ...environment })) vi.stubEnv(name, value)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
  const server = opened.use(await startRecordedServer({ ...settings, LOG_LEVEL: 'info' }))
  // Without its timers, a server that is closed waits for the connections of clients.
  opened.defer(() => void vi.useRealTimers())
  const linesOf = (message: string) => server.lines().filter(({ msg }) => msg === message)
  const waitFor = (message: string, count = 1) =>
    waitUntil(message, () => linesOf(message).length === count, backupMs).catch((error: unknown) => {
      throw new Error(`The log is ${JSON.stringify(server.lines())}`, { cause: error })
    })
  const readiness = async () => (await fetch(`${server.url}/readyz`)).status
  const metric = async (name: string) =>
    Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await (await fetch(`${server.url}/metrics`)).text())?.[1])
  const stack = opened.move()
  return {
    storage,
    to,
    server,
    linesOf,
    waitFor,
    metric,
    readiness,
    scratch: join(storage.dataDir, 'backup'),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

const backupsIn = async (to: string) =>
  (await readdir(join(to, 'backups'), { recursive: true }).catch(() => [])).flatMap(
    (name) => /^(.*)\/manifest\.json$/.exec(name)?.[1] ?? [],
  )

test('a server with BACKUP_TO makes a backup soon after its start and then at each interval, and reports it', async () => {
  await using summit = await startSummit()
  const { to, waitFor, metric, linesOf } = summit
  expect(await metric('summit_backup_verified_timestamp_seconds')).toBe(0)
  const before = Date.now() / 1000
  vi.advanceTimersByTime(firstMs)
  await waitFor('backup made and verified')
  expect(await backupsIn(to)).toEqual([linesOf('backup made and verified')[0]?.id])
  expect(await metric('summit_backup_attempt_timestamp_seconds')).toBeGreaterThanOrEqual(before)
  expect(await metric('summit_backup_verified_timestamp_seconds')).toBeGreaterThanOrEqual(before)
  expect(await metric('summit_backup_bytes')).toBeGreaterThan(10_000)
  expect(await metric('summit_backup_duration_seconds')).toBeGreaterThan(0)
  expect(await runSummitInProcess(['backup', 'verify', to], summit.storage.settings)).toMatchObject({
    code: 0,
    err: '',
  })

  const attempt = await metric('summit_backup_attempt_timestamp_seconds')
  // The command has the real clock, which on a busy machine is ahead of this one by more than a minute.
  vi.advanceTimersByTime(2 * everyMs)
  await waitUntil('the next attempt', async () => (await metric('summit_backup_attempt_timestamp_seconds')) > attempt)
  // Said once, not with every backup: the folders of a test are on one file system.
  expect(summit.server.lines().filter(({ level }) => Number(level) >= 40)).toEqual([
    expect.objectContaining({
      location: to,
      msg: 'the first backup in this location is on the file system of DATA_DIR: is its disk mounted?',
    }),
  ])
})

test('a late backup is reported even while an attempt waits for another command', async () => {
  await using summit = await startSummit()
  const { waitFor, linesOf, metric, readiness, storage } = summit
  const release = await tryLockForMaintenance({ kind: 'folder', dir: storage.dataDir })
  vi.advanceTimersByTime(firstMs)
  await waitUntil('the attempt', async () => (await metric('summit_backup_attempt_timestamp_seconds')) > 0)
  vi.setSystemTime(Date.now() + everyMs + 2 * everyMs)
  vi.advanceTimersByTime(everyMs)
  await waitFor('the newest backup is older than BACKUP_EVERY plus two hours')
  expect(linesOf('backup made and verified')).toEqual([])
  expect(await readiness()).toBe(200)
  await release?.()
  await waitFor('backup made and verified')
})

test('a server whose backup fails stays ready, logs the reason, and tries again', async () => {
  await using summit = await startSummit()
  const { to, waitFor, linesOf, readiness } = summit
  const reasons = () => linesOf('backup failed').map(({ level, reason }) => [level, reason])
  await writeFile(to, 'a file')
  vi.advanceTimersByTime(firstMs)
  await waitFor('backup failed')
  expect(reasons()).toEqual([[50, expect.stringMatching(/^Backups cannot be stored in .*backups/)]])
  expect(await readiness()).toBe(200)

  await rm(to)
  vi.advanceTimersByTime(retryMs)
  await waitFor('backup made and verified')
  expect(await backupsIn(to)).toHaveLength(1)
  expect(reasons()).toHaveLength(1)
})

test.skipIf(faultyDiskMissing)('a full disk is logged, and the backup made once there is space', async () => {
  using disk = new FaultyDisk()
  await using summit = await startSummit(disk.settings)
  const { to, waitFor, linesOf } = summit
  disk.leaveSpace(50_000, '/backups/')
  vi.advanceTimersByTime(firstMs)
  await waitFor('backup failed')
  expect(linesOf('backup failed')).toMatchObject([{ level: 50, reason: `The disk of ${to} is full.` }])
  expect(await backupsIn(to)).toEqual([])
  expect(await readdir(summit.scratch)).toEqual([])

  disk.freeSpace()
  vi.advanceTimersByTime(retryMs)
  await waitFor('backup made and verified')
  expect(await backupsIn(to)).toHaveLength(1)
})

test.each<[string, (scratch: string) => Promise<boolean>]>([
  ['starts', async () => true],
  ['has copied the database', (scratch) => hasFileBelow(scratch, 'summit.db')],
  // The server creates its key when it starts.
  ['serves a copy', (scratch) => hasFileBelow(scratch, 'signature.key')],
])(
  'a server that is stopped while a backup %s leaves no process and no copy, and the next server makes it',
  async (_, isReached) => {
    await using summit = await startSummit()
    const { to, storage, scratch } = summit
    vi.advanceTimersByTime(firstMs)
    await waitUntil('the step', () => isReached(scratch), backupMs)
    expect(await processesWith(storage.settings)).toHaveLength(1)
    const lines = await summit.server.close()
    expect(await processesWith(storage.settings)).toEqual([])
    expect(await readdir(scratch).catch(() => [])).toEqual([])
    expect(await backupsIn(to)).toEqual([])
    expect(lines.filter(({ level }) => Number(level) >= 40)).toEqual([])

    await using next = await startRecordedServer({ ...storage.settings, BACKUP_TO: to, BACKUP_EVERY: '1h' })
    vi.advanceTimersByTime(firstMs)
    await waitUntil('a backup', () => next.lines().some(({ msg }) => msg === 'backup made and verified'), backupMs)
    expect(await backupsIn(to)).toHaveLength(1)
  },
)
