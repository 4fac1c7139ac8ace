import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTestStorage } from '../../../../test/app.ts'
import { runSummitInProcess } from '../../../../test/command.ts'
import { startInMemoryS3 } from '../../../../test/in-memory-s3.ts'
import { createTemporaryFolder } from '../../../../test/temporary-folder.ts'
import { runCheck } from '../../../cli/doctor.fixtures.ts'
import { parseBackupTarget } from '../../storage/blobs/backup-target.ts'
import { startRecordedServer } from '../recorded-server.fixtures.ts'
import { findStorageProblem } from './backup-location.ts'

// Whether backups can be stored is tried before one is needed. Nobody can write to /proc, not even root.

test('a location that cannot be written is in the log, the metrics and the doctor, and the server is ready', async () => {
  await using storage = await createTestStorage()
  const settings = { ...storage.settings, BACKUP_TO: '/proc/summit', BACKUP_EVERY: 'never' }
  await using server = await startRecordedServer({ ...settings, LOG_LEVEL: 'info' })
  const reason =
    /^Backups cannot be stored in \/proc\/summit: the folder does not exist, and cannot be created \(ENOENT: no such file or directory\)\. .* Run as root: install -d -o \S+ -g \S+ -m 0700 \/proc\/summit$/
  await expect
    .poll(server.lines)
    .toEqual([
      expect.objectContaining({ level: 50, msg: 'backups cannot be stored', reason: expect.stringMatching(reason) }),
    ])
  expect(await (await fetch(`${server.url}/metrics`)).text()).toMatch(/^summit_backup_location_writable 0$/m)
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  expect(await runCheck('backups', settings)).toContainEqual(
    expect.stringMatching(/^problem: Backups cannot be stored in \/proc\/summit: /),
  )
})

test('a location that can be written is not created by the attempt, and nothing is left there', async () => {
  await using storage = await createTestStorage()
  await using folder = await createTemporaryFolder()
  const to = join(folder.path, 'on', 'another', 'disk')
  await using server = await startRecordedServer({ ...storage.settings, BACKUP_TO: to, BACKUP_EVERY: 'never' })
  const metric = async () =>
    /^summit_backup_location_writable (.)$/m.exec(await (await fetch(`${server.url}/metrics`)).text())
  await expect.poll(async () => (await metric())?.[1]).toBe('1')
  expect(await readdir(folder.path)).toEqual([])
})

test('a folder that cannot be created is named, with the command that creates it, by a backup as well', async () => {
  await using storage = await createTestStorage()
  const { err } = await runSummitInProcess(['backup', '/proc/my summit'], storage.settings)
  expect(err).toMatch(
    /^Backups cannot be stored in \/proc\/my summit: the folder does not exist, .* Run as root: install -d .* '\/proc\/my summit'\n/,
  )
})

test('the metric of a location is absent until the first attempt has ended', async () => {
  await using storage = await createTestStorage()
  const attempt = Promise.withResolvers<boolean>()
  await using s3 = await startInMemoryS3(() => attempt.promise)
  await using server = await startRecordedServer({ ...storage.settings, BACKUP_TO: s3.url, BACKUP_EVERY: 'never' })
  const metrics = async () => (await fetch(`${server.url}/metrics`)).text()
  expect(await metrics()).not.toContain('summit_backup_location_writable')
  attempt.resolve(false)
  await expect.poll(metrics).toMatch(/^summit_backup_location_writable 1$/m)
})

test('a folder of which only a part can be written is found', async () => {
  await using folder = await createTemporaryFolder()
  await mkdir(join(folder.path, 'backups'))
  await writeFile(join(folder.path, 'staging'), 'a file')
  const target = parseBackupTarget(folder.path)
  expect(await findStorageProblem(folder.path, target)).toMatch(/ENOTDIR: not a directory, .*staging/)
  expect(await readdir(folder.path)).toEqual(['backups', 'staging'])
})

test.each([
  ['can', false],
  ['cannot', true],
])('a bucket that %s be written is tried, and nothing is left there', async (_, isReadOnly) => {
  await using folder = await createTemporaryFolder()
  await using s3 = await startInMemoryS3(({ method }) => isReadOnly && method === 'PUT')
  const target = parseBackupTarget(`${s3.url}`)
  const problem = await findStorageProblem(folder.path, target)
  expect(problem).toEqual(isReadOnly ? expect.stringMatching(/^Backups cannot be stored in s3:/) : undefined)
  expect([...s3.objects]).toEqual([])
})
