import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTestStorage } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import { createTemporaryFolder } from '../../test/temporary-folder.ts'

test('a command on an empty database on a server fails and creates nothing in it', async ({ skip }) => {
  await using storage = await createTestStorage({ isMigrated: false })
  const { DATABASE_URL: url = '' } = storage.settings
  if (!url) skip('the database is in a folder')
  const { hostname, port, pathname } = new URL(url)
  const err = `No summit found in the database ${pathname.slice(1)} at ${hostname}:${port}.\n`
  for (let twice = 0; twice < 2; twice++)
    expect(await runSummitInProcess(['export', 'topics'], storage.settings)).toEqual({ code: 1, out: '', err })
})

test.each([
  ['postgres://summit:s3cret@127.0.0.1:1/conference', 'conference at 127.0.0.1:1'],
  ['postgres:///conference?host=/nowhere&port=5544&user=summit&password=s3cret', 'conference at /nowhere:5544'],
  ['postgres://summit:s3cret@%2Fnowhere/conference', 'conference at /nowhere'],
  ['postgres://summit:s3cret@db.example/conference?sslrootcert=/nowhere/ca.pem', 'conference at db.example'],
])('an unreachable database is named with its address and without its password: %s', async (DATABASE_URL, place) => {
  const { code, err } = await runSummitInProcess(['export', 'topics'], { DATABASE_URL })
  expect([code, err]).toEqual([1, expect.stringMatching(/: .*(ECONNREFUSED|ENOENT).*\.\n$/)])
  expect(err).toContain(`Cannot open the database ${place}: `)
  expect(err).not.toContain('s3cret')
})

test('a database that cannot be accessed is not reported as missing', async () => {
  await using folder = await createTemporaryFolder()
  await symlink('summit.db', join(folder.path, 'summit.db'))
  const { code, err } = await runSummitInProcess(['export', 'topics'], { DATA_DIR: folder.path })
  expect([code, err]).toEqual([1, expect.stringMatching(/^ELOOP: .*summit\.db'\n$/)])
})
