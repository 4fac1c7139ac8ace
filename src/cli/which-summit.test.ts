import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTestStorage, startTestApp, startTestAppOn } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import * as make from '../../test/make.ts'
import { createTemporaryFolder } from '../../test/temporary-folder.ts'

// Every command says which summit it works on, so that an import does not land in another one unnoticed.

const portOf = ({ url }: { url: string }) => new URL(url).port

test('a command names its summit and what that holds before anything else', async () => {
  await using t = await startTestApp()
  await make.event(t)
  await make.topic(t)
  await make.topic(t)
  const { about } = await runSummitInProcess(['export', 'topics'], t.settings)
  const { DATABASE_URL: url } = t.settings
  const place = url ? `${url.replace(/\/\/.*@/, '//…@')} (DATABASE_URL` : `${t.dataDir} (DATA_DIR`
  expect(about).toBe(`Summit: ${place} from the environment): 1 session, 0 participants, 2 topics\n`)
})

test('a command on a folder without a summit says so, and creates nothing', async () => {
  const { about, err } = await runSummitInProcess(['export', 'topics', '--data-dir', '/nowhere/data'])
  expect(about).toBe('Summit: /nowhere/data (DATA_DIR from --data-dir): no summit yet\n')
  expect(err).toBe('No summit found in /nowhere/data (DATA_DIR).\n')
})

test('an organizer learns that the server on this port serves a different summit', async () => {
  await using served = await startTestApp()
  await using other = await createTestStorage()
  const { about } = await runSummitInProcess(['export', 'topics'], { ...other.settings, PORT: portOf(served) })
  expect(about).toContain(`WARNING: The server on port ${portOf(served)} serves a different summit. `)
  expect(
    (await runSummitInProcess(['export', 'topics'], { ...served.settings, PORT: portOf(served) })).about,
  ).not.toContain('WARNING')
})

test('a command on a copy of the folder that is served is warned as well', async ({ skip }) => {
  await using storage = await createTestStorage()
  await using other = await createTestStorage()
  if (storage.settings.DATABASE_URL) skip('the database is not in the folder')
  await (await startTestAppOn(storage))[Symbol.asyncDispose]()
  const copy = join(other.dataDir, 'copy')
  await cp(storage.dataDir, copy, { recursive: true })
  await using served = await startTestAppOn(storage)
  const { about } = await runSummitInProcess(['export', 'topics', '--data-dir', copy], { PORT: portOf(served) })
  expect(about).toContain('serves a different summit')
})

test('an operator is warned of a misspelt setting, by commands and by config', async () => {
  await using storage = await createTestStorage()
  const line =
    'WARNING: The environment variable DATABASE_URI is not a setting and is ignored. Did you mean DATABASE_URL?\n'
  for (const command of [['config'], ['export', 'topics']])
    expect((await runSummitInProcess(command, { ...storage.settings, DATABASE_URI: 'x' })).err).toContain(line)
})

test('an operator who imports into a new folder is told where before a plan is printed', async () => {
  await using storage = await createTestStorage()
  const dir = join(storage.dataDir, 'new')
  await mkdir(dir)
  await writeFile(join(storage.dataDir, 'program.csv'), 'Title,Start\nOpening,2030-05-14 09:00\n')
  const { about } = await runSummitInProcess([
    'import',
    'program',
    join(storage.dataDir, 'program.csv'),
    '--data-dir',
    dir,
  ])
  expect(about).toBe(`Summit: ${dir} (DATA_DIR from --data-dir): no summit yet\n`)
})

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
