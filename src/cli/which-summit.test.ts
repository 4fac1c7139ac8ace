import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTestStorage, startTestApp, startTestAppOn } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import * as make from '../../test/make.ts'

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
