import { expect, test } from 'vitest'
import { createDataFolder } from '../faults/create-data-folder.ts'
import { launchServer } from '../faults/server-process.ts'
import { freePort } from '../free-port.ts'
import { runFirstStart } from './first-start.ts'

test('a first start loads the sample data, and says how to create a summit without it', async () => {
  const { output, topics } = await runFirstStart({}, [])
  expect(topics).toBe(24)
  expect(output).toMatch(/^ {2}data {4}\/.+ \(DATA_DIR from the environment\)$/m)
  expect(output).toMatch(/^ {2}holds {3}\d+ sessions, \d+ participants, 24 topics; it began with the sample data$/m)
  expect(output).toMatch(/^ {2}sample {2}loaded; .* set another DATA_DIR and start with --empty$/m)
})

test.each([
  ['--empty', {}, ['--empty']],
  ['BEGIN_WITH=empty', { BEGIN_WITH: 'empty' }, []],
])('a first start with %s loads no sample data, and does not mention it', async (_, settings, options) => {
  const { output, topics } = await runFirstStart(settings, options)
  expect(topics).toBe(0)
  expect(output).not.toContain('sample')
})

test('a first start that cannot store the sample data in S3 exits with one line, and initializes nothing', async () => {
  await using folder = await createDataFolder()
  const port = await freePort()
  const settings = { BLOBS_URL: `s3://KEY:geheim@summit?endpoint=http://127.0.0.1:${port}` }
  await using server = launchServer(folder.dir, settings, { options: [] })
  expect(await server.exited).toEqual({ code: 1, signal: null })
  expect(server.stderr()).toMatch(/^The S3 bucket summit is unavailable: ECONNREFUSED\b.*\n$/)
  expect(await folder.read((rows) => rows('select * from change'))).toEqual([])
})
