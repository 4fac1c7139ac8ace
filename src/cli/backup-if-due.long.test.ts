import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { createTestStorage, startTestAppOn } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import * as make from '../../test/make.ts'
import { createTemporaryFolder } from '../../test/temporary-folder.ts'

// The command with which the server makes backups.

test('a backup is made only if it is due, and the newest one is reported', async () => {
  const stack = new AsyncDisposableStack()
  await using _ = stack
  const storage = stack.use(await createTestStorage())
  const to = `${storage.dataDir}-backups`
  stack.defer(() => rm(to, { recursive: true, force: true }))
  await make.topic(stack.use(await startTestAppOn(storage)))
  const ifDue = async (BACKUP_EVERY: string) => {
    const settings = { ...storage.settings, BACKUP_TO: to, BACKUP_EVERY }
    const { code, out } = await runSummitInProcess(['backup', '--if-due'], settings)
    return { code, ...JSON.parse(out) }
  }
  const first = await ifDue('1h')
  expect(first).toMatchObject({
    code: 0,
    isNew: true,
    isFirstOnDataDisk: true,
    unreadable: 0,
    newest: { files: 0, missing: 0 },
  })
  expect(await ifDue('1h')).toEqual({ ...first, isNew: false, isFirstOnDataDisk: false })

  vi.setSystemTime(Date.now() + 3_600_000)
  try {
    expect(await ifDue('1h')).toMatchObject({ isNew: true })
  } finally {
    vi.useRealTimers()
  }
  // That backup is now dated in the future: it neither counts nor prevents others.
  const again = await ifDue('1h')
  expect(again).toMatchObject({ isNew: false, newest: first.newest, future: [expect.any(String)] })
  vi.setSystemTime(Date.now() + 120_000)
  try {
    expect(await ifDue('1m')).toMatchObject({ isNew: true, future: again.future })
  } finally {
    vi.useRealTimers()
  }
})

test('a backup that is dated in the future is not the newest, and every command says so', async () => {
  const stack = new AsyncDisposableStack()
  await using _ = stack
  const storage = stack.use(await createTestStorage())
  const folder = stack.use(await createTemporaryFolder())
  await make.topic(stack.use(await startTestAppOn(storage)))
  const settings = { ...storage.settings, BACKUP_TO: join(folder.path, 'backups') }
  const run = (...args: string[]) => runSummitInProcess(args, settings)
  const idOf = ({ out }: { out: string }) => /^Backup (\S+) /m.exec(out)?.[1] ?? ''
  const newest = idOf(await run('backup'))
  vi.setSystemTime(Date.now() + 365 * 24 * 3_600_000)
  const future = idOf(await run('backup').finally(() => vi.useRealTimers()))
  const finding = `1 backup in ${settings.BACKUP_TO} is dated in the future, and not taken for the newest: ${future}. `

  const destination = { ...settings, DATA_DIR: join(folder.path, 'restored'), DATABASE_URL: '' }
  const restored = await runSummitInProcess(['restore'], destination)
  expect([idOf(restored), restored.err]).toEqual([newest, expect.stringContaining(`WARNING: ${finding}`)])
  expect(await runSummitInProcess(['restore', '--id', future], destination)).toMatchObject({ code: 0, err: '' })
  const { out } = await run('backup', 'list')
  expect(out.split('\n').filter((line) => line.includes('DATED IN THE FUTURE'))).toEqual([
    expect.stringContaining(future),
  ])
  expect((await run('doctor')).out).toContain(`warning  backups   ${finding}`)
  await rm(join(settings.BACKUP_TO, 'backups', newest), { recursive: true })
  expect(await runSummitInProcess(['restore'], destination)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/ is dated in the future.*\n+There is no other backup in /),
  })
})

test('files of others in the location are left alone, and a manifest cannot name paths outside of the store', async () => {
  const stack = new AsyncDisposableStack()
  await using _ = stack
  const storage = stack.use(await createTestStorage())
  const to = `${storage.dataDir}-backups`
  stack.defer(() => rm(to, { recursive: true, force: true }))
  await make.topic(stack.use(await startTestAppOn(storage)), { uploaded_files: [{ name: 'a', data: 'SGVsbG8=' }] })
  const foreign = join(to, 'backups', 'router', 'config.tar')
  await mkdir(dirname(foreign), { recursive: true })
  await writeFile(foreign, 'not ours')
  expect(await runSummitInProcess(['backup', to], storage.settings)).toMatchObject({ code: 0, err: '' })
  expect(await readFile(foreign, 'utf8')).toBe('not ours')

  const [id = ''] = (await readdir(join(to, 'backups'))).filter((name) => /^\d/.test(name))
  const manifest = join(to, 'backups', id, 'manifest.json')
  const text = (await readFile(manifest, 'utf8')).split('\n')[1] ?? ''
  const altered = text.replace(/"key":"[^"]+"/, '"key":"../../outside"')
  await writeFile(manifest, `${createHash('sha256').update(altered).digest('hex')}\n${altered}\n`)
  const copy = { DATA_DIR: `${storage.dataDir}-copy` }
  stack.defer(() => rm(copy.DATA_DIR, { recursive: true, force: true }))
  const { code, err } = await runSummitInProcess(['restore', to, '--apply'], copy)
  expect([code, err]).toEqual([1, expect.stringContaining('has a format that this version of Summit does not know')])
})

test('a folder whose backups have disappeared is not used, as its disk may not be mounted', async () => {
  await using storage = await createTestStorage()
  await using _app = await startTestAppOn(storage)
  await using mountPoint = await createTemporaryFolder()
  const BACKUP_TO = join(mountPoint.path, 'backups')
  const run = (...options: string[]) =>
    runSummitInProcess(['backup', ...options], { ...storage.settings, BACKUP_TO, BACKUP_EVERY: '1h' })
  expect(await run('--if-due')).toMatchObject({ code: 0, err: '' })
  await rm(BACKUP_TO, { recursive: true })
  const unmounted =
    `Backups were stored in ${BACKUP_TO} before, and now there are none: is its disk mounted? If they were removed on ` +
    'purpose, make the next backup yourself: npm run summit -- backup\n'
  expect(await run('--if-due')).toMatchObject({ code: 1, err: unmounted })
  // As a backup that failed there leaves it.
  await mkdir(join(BACKUP_TO, 'backups', '20300501t090000z-00000000'), { recursive: true })
  expect(await run('--if-due')).toMatchObject({ code: 1, err: unmounted })
  expect(await readdir(join(BACKUP_TO, 'backups'))).toHaveLength(1)
  const { out } = await runSummitInProcess(['doctor'], { ...storage.settings, BACKUP_TO })
  expect(out).toContain(`Backups were stored in ${BACKUP_TO} before, and now there are none`)
  expect(await run()).toMatchObject({
    code: 0,
    err: `WARNING: Backups were stored in ${BACKUP_TO} before, and now there are none: is its disk mounted?\n`,
  })
  expect(await run('--if-due')).toMatchObject({ code: 0, err: '' })
})
