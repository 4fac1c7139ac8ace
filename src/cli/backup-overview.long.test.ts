import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test, vi } from 'vitest'
import { createTestStorage, startTestAppOn } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import { startServer } from '../../test/faults/server-process.ts'
import * as make from '../../test/make.ts'
import { createTemporaryFolder } from '../../test/temporary-folder.ts'
import { createClient } from '../client/client.ts'
import { hourMs } from '../server/core/time-units.ts'

// The newest backup, as organizers see it.

/** A summit with a topic, a folder for backups, and the key of an organizer. */
async function createSummit() {
  await using opened = new AsyncDisposableStack()
  const storage = opened.use(await createTestStorage())
  const folder = opened.use(await createTemporaryFolder())
  {
    await using t = await startTestAppOn(storage)
    await make.topic(t)
  }
  const settings = { ...storage.settings, BACKUP_TO: join(folder.path, 'backups'), BACKUP_EVERY: '1h' }
  const run = (...args: string[]) => runSummitInProcess(args, settings)
  const { out } = await run('key', 'create', 'console', '--role', 'reader')
  const headers = { authorization: `Bearer ${/smt_[\w-]+/.exec(out)?.[0]}` }
  const stack = opened.move()
  return {
    ...{ storage, folder: folder.path, settings, run, headers },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

test('a backup by the command is seen in a running server, but not a copy elsewhere, nor one of a summit that was moved', async () => {
  await using summit = await createSummit()
  const { storage, settings, run, headers, folder } = summit
  await using t = await startTestAppOn(storage, settings)
  const backup = async () => (await createClient(t.url, { headers }).readOverview({})).overview.backup
  expect(await backup()).toEqual({ has_location: true, every_minutes: 60, newest: null, is_late: null })
  expect(await run('backup', '--if-due')).toMatchObject({ code: 0, err: '' })
  const first = await backup()
  // The clock of the test is years ahead.
  expect(first).toMatchObject({ newest: { bytes: expect.any(Number) }, is_late: true })
  t.setClock(Date.now() - t.ctx.clock())
  expect(await backup()).toEqual({ ...first, is_late: false })

  vi.setSystemTime(Date.now() + hourMs)
  try {
    expect(await run('backup', join(folder, 'elsewhere'))).toMatchObject({ code: 0, err: '' })
    t.advance(hourMs)
    expect(await backup()).toEqual({ ...first, is_late: false })
    expect(await run('backup')).toMatchObject({ code: 0, err: '' })
  } finally {
    vi.useRealTimers()
  }
  const second = await backup()
  expect([second.is_late, (second.newest?.made_at ?? '') > (first.newest?.made_at ?? '')]).toEqual([false, true])

  await t[Symbol.asyncDispose]()
  const to = join(folder, 'moved')
  expect(await run('move', '--to', to)).toMatchObject({ code: 0 })
  await using moved = await startTestAppOn({ ...storage, dataDir: to, settings: { DATA_DIR: to } })
  expect((await createClient(moved.url, { headers }).readOverview({})).overview.backup.newest).toBe(null)
})

test('the workers of a server see the backup that its schedule makes', async () => {
  await using summit = await createSummit()
  const { storage, settings, headers } = summit
  await using server = await startServer(storage.dataDir, { ...settings, WORKERS: '2' })
  // Each client has connections of its own, which any worker may get.
  const read = async () => (await createClient(server.url, { headers }).readOverview({})).overview.backup
  await expect.poll(read, { timeout: 240_000, interval: 500 }).toMatchObject({ newest: {}, is_late: false })
  for (const seen of await Promise.all(Array.from({ length: 8 }, read))) expect(seen).toEqual(await read())
})

test('a backup that cannot be recorded in the database is complete, and the command says so', async () => {
  await using folder = await createTemporaryFolder()
  const dataDir = join(folder.path, 'summit')
  const to = join(folder.path, 'backups')
  const storage = { dataDir, settings: { DATA_DIR: dataDir }, [Symbol.asyncDispose]: async () => {} }
  await using t = await startTestAppOn(storage)
  await make.topic(t)
  {
    using database = new DatabaseSync(join(dataDir, 'summit.db'))
    const refusal = `when new.name = 'newest_backup' begin select raise(abort, 'no space'); end`
    database.exec(`create trigger full before insert on secret ${refusal}`)
  }
  expect(await runSummitInProcess(['backup', to], storage.settings)).toMatchObject({
    code: 0,
    err: `WARNING: Could not record the backup in ${dataDir} (DATA_DIR): no space. The backup is complete, but organizers do not see when it was made.\n`,
  })
  expect(await runSummitInProcess(['backup', 'verify', to], storage.settings)).toMatchObject({ code: 0, err: '' })
})
