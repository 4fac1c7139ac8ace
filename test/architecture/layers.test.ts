import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeImport, findImports, imports, root, text } from './sources.ts'

// The dependency rules of docs/architecture.md, the layout, and the length of files.

test('the contract imports only TypeBox and itself', () => {
  const violations = imports.filter(
    ({ from, to }) => from.startsWith('src/contract/') && !to.startsWith('src/contract/') && !to.startsWith('typebox'),
  )
  expect(violations.map(describeImport)).toEqual([])
})

test('the client imports only the contract and itself', () => {
  const violations = imports.filter(
    ({ from, to }) => from.startsWith('src/client/') && !/^src\/(client|contract)\//.test(to),
  )
  expect(violations.map(describeImport)).toEqual([])
})

/**
 * The floor plan of `src/server`, which `docs/architecture.md` explains: rooms, the folders in them, and the files outside
 * rooms. Each imports only from those before it, types included.
 */
const order = [
  'core',
  'storage/data-dir',
  'storage/db',
  'storage/blobs',
  'platform/egress',
  'platform/mail',
  'platform/images',
  'platform/logging',
  'platform/metrics',
  'config',
  'context',
  'scope',
  'operation',
  'log/ledger',
  'log/changes',
  'log/audit',
  'log/idempotency',
  'auth',
  'auth/passkeys',
  'domains/files',
  'domains/participants',
  'domains/newsfeed',
  'domains/program',
  'domains/stars',
  'domains/feedback',
  'domains/organizers',
  'domains/revisions',
  'domains/export',
  'domains/program-export',
  'domains/import',
  'domains/import/text',
  'domains/import/times',
  'domains/import/sessions',
  'domains/import/csv',
  'domains/import/frab',
  'domains/import/icalendar',
  'domains/import/workbook',
  'domains/import/encoding',
  'domains/import/pretalx',
  'domains/import/formats',
  'domains/import/program',
  'domains/import/participants',
  'domains/import/images',
  'domains/import/by-request',
  'domains/orphans',
  'domains/privacy',
  'domains/editing',
  'domains/overview',
  'domains/me',
  'domains/sign-in',
  'http/budgets',
  'http/request',
  'http/cache',
  'http/response',
  'http',
  'http/operations',
  'http/pages',
  'http/oidc',
  'commands/move',
  'commands/check',
  'commands/backup',
  'app',
  'lifecycle/stop',
  'lifecycle/start',
  'lifecycle/schedules',
  'lifecycle/workers',
  'lifecycle',
  'main',
]

/** The innermost folder of a file of the server that is in this order, its room, or the name of a file outside rooms. */
function placeOf(path: string): string | undefined {
  if (!path.startsWith('src/server/')) return undefined
  const parts = path.slice('src/server/'.length).replace(/\.ts$/, '').split('/')
  const places = parts.map((_, index) => parts.slice(0, parts.length - index).join('/'))
  return places.find((place) => order.includes(place)) ?? parts[0]
}

test('a folder or file of the server imports only from those before it', () => {
  const violations = imports.filter(({ from, to }) => {
    const [upper, lower] = [placeOf(from), placeOf(to)]
    if (upper === undefined || lower === undefined || upper === lower) return false
    return order.indexOf(lower) >= order.indexOf(upper) || !order.includes(lower)
  })
  expect(violations.map(describeImport)).toEqual([])
})

test('every file of the server has a place in this order, and every room in the layout in README.md', () => {
  const places = [...text.keys()].flatMap((path) => placeOf(path) ?? [])
  expect(places.filter((place) => !order.includes(place))).toEqual([])
  const [, layout = ''] = readFileSync(join(root, 'README.md'), 'utf8').split('## Repository layout')
  const rooms = new Set(places.flatMap((place) => (place.includes('/') ? (place.split('/')[0] ?? []) : [])))
  expect([...rooms].filter((room) => !layout.includes(` ${room}/ `))).toEqual([])
})

test('there are at most ten rooms, and only the program itself and what all rooms share is outside them', () => {
  const inServer = [...text.keys()].filter((path) => path.startsWith('src/server/'))
  const rooms = new Set(inServer.flatMap((path) => /^src\/server\/([^/]+)\//.exec(path)?.[1] ?? []))
  expect(rooms.size).toBeLessThanOrEqual(10)
  const loose = inServer.filter((path) => /^src\/server\/[^/]+$/.test(path))
  const names = ['app', 'context', 'main', 'operation', 'scope']
  expect(loose.sort()).toEqual(names.map((name) => `src/server/${name}.ts`))
})

test('the cache and the domains do not import HTTP, as a response depends on its key and not on its request', () => {
  const violations = imports.filter(
    ({ from, to }) =>
      /^src\/server\/(domains|http\/cache)\//.test(from) &&
      (/^src\/server\/http\/(?!cache\/|budgets\/)/.test(to) || to === 'fastify'),
  )
  expect(violations.map(describeImport)).toEqual([])
})

/** The settings contain the names of all alternatives. */
const settings = 'src/server/config/'

test.each([
  ['database engine', 'src/server/storage/db/', /sqlite|postgres|'pg'/i],
  ['blob store', 'src/server/storage/blobs/', /S3|'s3|s3:|aws-sdk|AWS|'fs'|FsBlobs/],
])('no %s is named outside %s', (_, home, names) => {
  const violations = [...text].filter(
    ([path, code]) => !path.startsWith(home) && !path.startsWith(settings) && names.test(code),
  )
  expect(violations.map(([path]) => path)).toEqual([])
})

test('only the blobs folder imports a blob store', () => {
  const violations = imports.filter(
    ({ from, to }) =>
      !from.startsWith('src/server/storage/blobs/') && /^src\/server\/storage\/blobs\/(fs|s3)|^@aws-sdk/.test(to),
  )
  expect(violations.map(describeImport)).toEqual([])
})

test('migrations import only Kysely', () => {
  const violations = imports.filter(
    ({ from, to }) => from.startsWith('src/server/storage/db/migrations/') && to !== 'kysely',
  )
  expect(violations.map(describeImport)).toEqual([])
})

test('there are no import cycles', () => {
  // Types do not exist at run time, so a cycle of types does no harm.
  const ofValues = findImports(/^(?:import|export) (?!type )[^'"]*from '(\.[^']+)'/gm)
  const next = Map.groupBy(ofValues, ({ from }) => from)
  const cycles: string[] = []
  const walk = (path: string, trail: string[]) => {
    if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '))
    if (done.has(path) || trail.includes(path)) return
    for (const { to } of next.get(path) ?? []) walk(to, [...trail, path])
    done.add(path)
  }
  const done = new Set<string>()
  for (const path of text.keys()) walk(path, [])
  expect(cycles).toEqual([])
})

test('files are shorter than 300 lines, but for four tables', () => {
  const long = [...text].filter(([, code]) => code.split('\n').length > 300).map(([path]) => path)
  expect(long.sort()).toEqual([
    'src/contract/openapi.ts',
    'src/server/domains/participants/personal-data.ts',
    'src/server/storage/db/tables.ts',
    'src/web/text/en-console.ts',
  ])
})
