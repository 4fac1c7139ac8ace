import { expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { runFirstStart } from './first-start.ts'

test('every npm script first installs missing dependencies', () => {
  const scripts: Record<string, string> = packageJson.scripts
  const names = Object.keys(scripts).filter((name) => !name.startsWith('pre') && name !== 'postpack')
  expect(names.filter((name) => scripts[`pre${name}`] !== scripts.prestart)).toEqual([])
})

test('a first start loads the sample data, and says how to create a summit without it', async () => {
  const { output, topics } = await runFirstStart({}, [])
  expect(topics).toBe(24)
  expect(output).toMatch(/^ {2}data {4}\/.+ \(DATA_DIR from the environment\)$/m)
  expect(output).toMatch(/^ {2}holds {3}\d+ sessions, \d+ participants, 24 topics; it began with the sample data$/m)
  expect(output).toMatch(/^ {2}sample {2}loaded; .* set another DATA_DIR and start with --empty$/m)
})

test('a first start with --empty loads no sample data, and does not mention it', async () => {
  const { output, topics } = await runFirstStart({}, ['--empty'])
  expect(topics).toBe(0)
  expect(output).not.toContain('sample')
})
