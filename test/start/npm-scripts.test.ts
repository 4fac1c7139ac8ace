import { expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }

test('every npm script first installs missing dependencies', () => {
  const scripts: Record<string, string> = packageJson.scripts
  const names = Object.keys(scripts).filter((name) => !name.startsWith('pre') && name !== 'postpack')
  const install = scripts.pretest ?? ''
  expect(install).toMatch(/ensure-install/)
  expect(names.filter((name) => scripts[`pre${name}`]?.split(' && ')[0] !== install)).toEqual([])
})
