import { expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { runFirstStart } from './first-start.ts'

test('every npm script first installs missing dependencies', () => {
  const scripts: Record<string, string> = packageJson.scripts
  const names = Object.keys(scripts).filter((name) => !name.startsWith('pre') && name !== 'postpack')
  expect(names.filter((name) => scripts[`pre${name}`] !== scripts.prestart)).toEqual([])
})

test('a first start with --empty loads no sample data, and does not mention it', async () => {
  const { output, topics } = await runFirstStart({}, ['--empty'])
  expect(topics).toBe(0)
  expect(output).not.toContain('sample')
})
