import { readdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import { startInMemoryS3 } from '../../test/in-memory-s3.ts'
import * as make from '../../test/make.ts'
import { isOnServer, portOf, runDoctor, startProxy } from './doctor.fixtures.ts'

const [BACKUP_KEY, AUDIT_KEY] = ['ab'.repeat(32), 'a1'.repeat(32)]

test('nothing is wrong with a summit that runs behind its proxy and has a backup, and nothing is changed', async () => {
  await using s3 = await startInMemoryS3()
  await using t = await startTestApp({ AUDIT_KEY })
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
