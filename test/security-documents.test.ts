import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Settings } from '../src/server/config/settings.ts'
import { tableNames } from '../src/server/storage/db/tables.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

const requirements = read('docs/security/asvs.md')
const rows = Array.from(
  requirements.matchAll(/^\| (\d[^|]*) \| (met|partly|gap|does not apply) \| (.*) \|$/gm),
  ([, ids = '', state = '', reason = '']) => ({ ids, state, reason }),
)

/** The requirements of a row: `1.2.1–1.2.3, 1.3.1`. */
const requirementsOf = (ids: string): string[] =>
  ids.split(', ').flatMap((range) => {
    const [first = '', last = first] = range.split('–')
    const section = first.slice(0, first.lastIndexOf('.'))
    const [from, to] = [first, last].map((id) => Number(id.split('.')[2]))
    return Array.from({ length: Number(to) - Number(from) + 1 }, (_, nth) => `${section}.${Number(from) + nth}`)
  })

const tests = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).map((path) =>
  path.split('/').at(-1),
)

/** Whether a test or document in backticks exists. Tests without a folder are in `test/access/` or beside the code. */
const exists = (name: string): boolean =>
  existsSync(join(root, name)) ||
  (!name.includes('/') && (existsSync(join(root, 'test/access', name)) || tests.includes(name)))

const filesIn = (reason: string) =>
  Array.from(
    reason.matchAll(/`([\w./@-]+\.(?:ts|md|service|conf)|(?:test|src|docs|deploy|scripts)\/[\w./-]+)`/g),
    ([, name = '']) => name,
  )

test('every requirement of asvs.md has one row, and the table at its beginning counts them', () => {
  const states = rows.flatMap(({ ids, state }) => requirementsOf(ids).map((id) => [id, state] as const))
  const ids = states.map(([id]) => id)
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  expect(ids).toHaveLength(253)
  for (const state of ['met', 'partly', 'gap', 'does not apply']) {
    const [, first, second] =
      new RegExp(`^\\| ${state === 'partly' ? 'partly met' : state} \\| (\\d+) \\| (\\d+) \\|$`, 'm').exec(
        requirements,
      ) ?? []
    expect(Number(first) + Number(second), state).toBe(states.filter(([, found]) => found === state).length)
  }
})

test('every requirement that is met names a test, document or file of the code', () => {
  const bare = rows.filter(
    ({ state, reason }) => state === 'met' && filesIn(reason).length === 0 && !/[Dd]ecisions? \d/.test(reason),
  )
  expect(bare.map(({ ids }) => ids)).toEqual([])
})

test.each(['docs/security/asvs.md', 'SECURITY.md', 'docs/security/inventory.md'])(
  'the tests and documents that %s names exist',
  (path) => {
    const text = read(path)
    expect(filesIn(text).filter((name) => !exists(name))).toEqual([])
  },
)

test('the inventory names every secret setting and every table', () => {
  const inventory = read('docs/security/inventory.md')
  const secret = Object.entries(Settings.properties).flatMap(([name, schema]) => ('x-secret' in schema ? [name] : []))
  expect(secret).toContain('AUDIT_KEY')
  expect([...secret, ...tableNames].filter((name) => !inventory.includes(`\`${name}\``))).toEqual([])
})
