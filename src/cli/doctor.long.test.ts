import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { createTestStorage, startOfTest, startTestApp } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import { startInMemoryS3 } from '../../test/in-memory-s3.ts'
import * as make from '../../test/make.ts'
import { createTemporaryFolder } from '../../test/temporary-folder.ts'
import { lookAtClock } from '../server/lifecycle/schedules/seen-clock.ts'
import { isOnServer, portOf, runCheck, runDoctor, startProxy } from './doctor.fixtures.ts'

const [BACKUP_KEY, AUDIT_KEY] = ['ab'.repeat(32), 'a1'.repeat(32)]
const hourMs = 60 * 60 * 1000

test('nothing is wrong with a summit that runs behind its proxy and has a backup, and nothing is changed', async () => {
  await using s3 = await startInMemoryS3()
  await using t = await startTestApp({ AUDIT_KEY })
  // The command compares its clock with that of the server, which looks at it ten seconds after its start.
  t.setClock(Date.now() - startOfTest)
  await lookAtClock(t.ctx, { warn: () => {} })
  await make.topic(t, { uploaded_files: [{ name: 'a.txt', data: 'SGVsbG8=' }] })
  await using proxy = await startProxy(t)
  const settings = {
    ...t.settings,
    PORT: portOf(t),
    PUBLIC_URL: proxy.url,
    TRUSTED_PROXIES: '127.0.0.1',
    BACKUP_TO: s3.url,
    BACKUP_KEY,
    AUDIT_KEY,
  }
  expect(await runSummitInProcess(['backup'], settings)).toMatchObject({ code: 0, err: '' })
  const before = [await readdir(t.dataDir, { recursive: true }), [...s3.objects.keys()]]

  const { code, out, rows } = await runDoctor(settings)

  expect(rows.filter(({ level }) => level !== 'ok')).toEqual([])
  expect(rows.map(({ name }) => name)).toEqual([
    ...[
      'settings',
      'folder',
      'disk',
      'database',
      'files',
      'keys',
      'audit',
      'backups',
      'clock',
      'proxy',
      'server',
      'images',
    ],
  ])
  // The server of the tests may lose data in a crash, which the command says.
  if (isOnServer(t)) expect(out).toMatch(/^problem +database +fsync is off: .* Set it to on in postgresql\.conf/m)
  else expect([code, out.split('\n').at(-2)]).toEqual([0, 'No problems found.'])
  expect([await readdir(t.dataDir, { recursive: true }), [...s3.objects.keys()]]).toEqual(before)
})

test('a backup that is late, and one that cannot be read, are problems', async () => {
  await using storage = await createTestStorage()
  await using folder = await createTemporaryFolder()
  const settings = { ...storage.settings, BACKUP_TO: folder.path }
  expect(await runSummitInProcess(['backup'], settings)).toMatchObject({ code: 0, err: '' })
  const backups = async (BACKUP_EVERY: string) => (await runCheck('backups', { ...settings, BACKUP_EVERY })).slice(1)
  const now = Date.now()
  {
    using clock = vi.spyOn(Date, 'now').mockReturnValue(now + 25 * hourMs)
    expect(await backups('24h')).toEqual([expect.stringMatching(/^ok: the newest of 1 in .* is 25\.\d hours old$/)])
    clock.mockReturnValue(now + 27 * hourMs)
    expect(await backups('never')).toEqual([expect.stringMatching(/^ok: /)])
    expect(await backups('24h')).toEqual([
      expect.stringMatching(
        /^problem: The newest backup in .* is 27\.\d hours old, although BACKUP_EVERY is 24 hours\. /,
      ),
    ])
  }
  const [manifest = ''] = (await readdir(folder.path, { recursive: true })).filter((name) =>
    name.endsWith('manifest.json'),
  )
  await writeFile(join(folder.path, manifest), 'x\n')
  expect(await backups('24h')).toEqual([
    expect.stringMatching(
      /^problem: The backup \S+ in .* cannot be restored: \S+manifest\.json is truncated or was altered\. /,
    ),
    expect.stringMatching(/^warning: There is no backup in /),
  ])
})

test('a BACKUP_KEY other than that of the backups is a problem, and nobody is told to remove them', async () => {
  await using storage = await createTestStorage()
  await using folder = await createTemporaryFolder()
  const [key, other] = ['ab'.repeat(32), 'cd'.repeat(32)]
  const settings = { ...storage.settings, BACKUP_TO: folder.path }
  expect(await runSummitInProcess(['backup'], { ...settings, BACKUP_KEY: key })).toMatchObject({ code: 0, err: '' })
  for (const BACKUP_KEY of [other, ''])
    expect((await runCheck('backups', { ...settings, BACKUP_KEY })).slice(1)).toEqual([
      expect.stringMatching(
        /^problem: BACKUP_KEY seems to differ from the key of the 1 backup in .* Do not remove them: /,
      ),
    ])
  expect((await runCheck('backups', { ...settings, BACKUP_KEY: key })).slice(1)).toEqual([
    expect.stringMatching(/^ok: /),
  ])
})
