import { expect, test } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }
import { launch } from './faults/server-process.ts'
import { temporaryFolder } from './faults/temporary-folder.ts'
import { until } from './faults/until.ts'
import { freePort } from './free-port.ts'

// What an operator reads at the first start on a folder, and what it leaves there.

test('every script of ours installs what is missing, on a fresh clone with any Node', () => {
  const scripts: Record<string, string> = packageJson.scripts
  const names = Object.keys(scripts).filter((name) => !name.startsWith('pre'))
  expect(names.filter((name) => scripts[`pre${name}`] !== scripts.prestart)).toEqual([])
})

/** What it says until it serves, and how many topics there are then. */
async function firstStart(settings: Record<string, string>, options: string[]) {
  await using folder = await temporaryFolder()
  await using server = launch(folder.dir, settings, { options })
  await until('it says where it is', () => server.stdout().includes('access'), 15_000)
  await server.kill('SIGTERM')
  const [row] = await folder.read((rows) => rows('select count(*) as topics from topic'))
  return { said: server.stdout(), topics: Number(row?.topics) }
}

test('a sample that is stored is named, with the way to a summit of your own', async () => {
  const { said, topics } = await firstStart({}, [])
  expect(topics).toBe(24)
  expect(said).toMatch(/^ {2}data {4}\/.+ \(DATA_DIR from the environment\)$/m)
  expect(said).toMatch(/^ {2}holds {3}\d+ sessions, \d+ participants, 24 topics; it began with the sample data$/m)
  expect(said).toMatch(/^ {2}sample {2}loaded; .* set another DATA_DIR and start with --empty$/m)
})

test.each([
  ['--empty', {}, ['--empty']],
  ['BEGIN_WITH=empty', { BEGIN_WITH: 'empty' }, []],
] as const)('with %s there is no sample, and no word of one', async (_, settings, options) => {
  const { said, topics } = await firstStart({ ...settings }, [...options])
  expect(topics).toBe(0)
  expect(said).not.toContain('sample')
})

test('a first start whose sample S3 does not take is one line, and begins nothing', async () => {
  await using folder = await temporaryFolder()
  const port = await freePort()
  const settings = { BLOBS_URL: `s3://KEY:geheim@summit?endpoint=http://127.0.0.1:${port}` }
  await using server = launch(folder.dir, settings, { options: [] })
  expect(await server.exited).toEqual({ code: 1, signal: null })
  expect(server.stderr()).toMatch(/^The S3 bucket summit is unavailable: ECONNREFUSED\b.*\n$/)
  expect(await folder.read((rows) => rows('select * from change'))).toEqual([])
})
