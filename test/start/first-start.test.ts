import { expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { launch } from '../faults/server-process.ts'
import { temporaryFolder } from '../faults/temporary-folder.ts'
import { until } from '../faults/until.ts'
import { freePort } from '../free-port.ts'

test('every npm script first installs missing dependencies', () => {
  const scripts: Record<string, string> = packageJson.scripts
  const names = Object.keys(scripts).filter((name) => !name.startsWith('pre'))
  expect(names.filter((name) => scripts[`pre${name}`] !== scripts.prestart)).toEqual([])
})

/** Starts a server on a new folder. @returns its output until it is ready, and the number of topics */
async function firstStart(settings: Record<string, string>, options: string[]) {
  await using folder = await temporaryFolder()
  await using server = launch(folder.dir, settings, { options })
  await until('the server is ready', () => server.stdout().includes('access'), 15_000)
  await server.kill('SIGTERM')
  const [row] = await folder.read((rows) => rows('select count(*) as topics from topic'))
  return { output: server.stdout(), topics: Number(row?.topics) }
}

test('a first start loads the sample data, and says how to create a summit without it', async () => {
  const { output, topics } = await firstStart({}, [])
  expect(topics).toBe(24)
  expect(output).toMatch(/^ {2}data {4}\/.+ \(DATA_DIR from the environment\)$/m)
  expect(output).toMatch(/^ {2}holds {3}\d+ sessions, \d+ participants, 24 topics; it began with the sample data$/m)
  expect(output).toMatch(/^ {2}sample {2}loaded; .* set another DATA_DIR and start with --empty$/m)
})

test.each([
  ['--empty', {}, ['--empty']],
  ['BEGIN_WITH=empty', { BEGIN_WITH: 'empty' }, []],
] as const)('a first start with %s loads no sample data, and does not mention it', async (_, settings, options) => {
  const { output, topics } = await firstStart({ ...settings }, [...options])
  expect(topics).toBe(0)
  expect(output).not.toContain('sample')
})

test('a first start that cannot store the sample data in S3 exits with one line, and initializes nothing', async () => {
  await using folder = await temporaryFolder()
  const port = await freePort()
  const settings = { BLOBS_URL: `s3://KEY:geheim@summit?endpoint=http://127.0.0.1:${port}` }
  await using server = launch(folder.dir, settings, { options: [] })
  expect(await server.exited).toEqual({ code: 1, signal: null })
  expect(server.stderr()).toMatch(/^The S3 bucket summit is unavailable: ECONNREFUSED\b.*\n$/)
  expect(await folder.read((rows) => rows('select * from change'))).toEqual([])
})
