import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeImport, domains, findImports, folderOf, folders, imports, root, text } from './sources.ts'

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

/** The folder of a file of the server, or the name of one outside folders. */
const placeOf = (path: string) => /^src\/server\/([a-z-]+)(?:\/|\.ts$)/.exec(path)?.[1]

/** The folders of the server, and the files outside them, in order: each imports only from those before it, types included. */
const order = [
  'core',
  'data-dir',
  'egress',
  'mail',
  'images',
  'db',
  'blobs',
  'config',
  'context',
  'scope',
  'operation',
  'ledger',
  'changes',
  'audit',
  'cache',
  'access',
  'retries',
  'passkeys',
  'files',
  'participants',
  'newsfeed',
  'program',
  'feedback',
  'organizers',
  'export',
  'import',
  'erasure',
  'orphans',
  'privacy',
  'me',
  'sign-in',
  'move',
  'check',
  'backup',
  'ops',
  'http',
  'pages',
  'oidc',
  'app',
  'lifecycle',
  'main',
]

test('a folder or file of the server imports only from those before it', () => {
  const violations = imports.filter(({ from, to }) => {
    const [upper, lower] = [placeOf(from), placeOf(to)]
    if (upper === undefined || lower === undefined || upper === lower) return false
    return order.indexOf(lower) >= order.indexOf(upper) || !order.includes(lower)
  })
  expect(violations.map(describeImport)).toEqual([])
})

test('every folder of the server has a place in this order, and in the layout in README.md', () => {
  expect(folders.filter((folder) => !order.includes(folder))).toEqual([])
  const [, layout = ''] = readFileSync(join(root, 'README.md'), 'utf8').split('## Repository layout')
  expect(folders.filter((folder) => !layout.includes(` ${folder}/ `))).toEqual([])
})

test('only the program itself and what all folders share is outside folders', () => {
  const loose = [...text.keys()].filter((path) => /^src\/server\/[^/]+$/.test(path))
  const names = ['app', 'context', 'main', 'operation', 'scope']
  expect(loose.sort()).toEqual(names.map((name) => `src/server/${name}.ts`))
})

test('the cache and the domains do not import HTTP, as a response depends on its key and not on its request', () => {
  const violations = imports.filter(
    ({ from, to }) =>
      (folderOf(from) === 'cache' || domains.has(folderOf(from) ?? '')) &&
      (folderOf(to) === 'http' || to === 'fastify'),
  )
  expect(violations.map(describeImport)).toEqual([])
})

/** The settings contain the names of all alternatives. */
const settings = 'src/server/config/'

test.each([
  ['database engine', 'src/server/db/', /sqlite|postgres|'pg'/i],
  ['blob store', 'src/server/blobs/', /S3|'s3|s3:|aws-sdk|AWS|'fs'|FsBlobs/],
])('no %s is named outside %s', (_, home, names) => {
  const violations = [...text].filter(
    ([path, code]) => !path.startsWith(home) && !path.startsWith(settings) && names.test(code),
  )
  expect(violations.map(([path]) => path)).toEqual([])
})

test('only the blobs folder imports a blob store', () => {
  const violations = imports.filter(
    ({ from, to }) => folderOf(from) !== 'blobs' && /^src\/server\/blobs\/(fs|s3)|^@aws-sdk/.test(to),
  )
  expect(violations.map(describeImport)).toEqual([])
})

test('migrations import only Kysely', () => {
  const violations = imports.filter(({ from, to }) => from.startsWith('src/server/db/migrations/') && to !== 'kysely')
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

test('files are shorter than 300 lines, but for two tables', () => {
  const long = [...text].filter(([, code]) => code.split('\n').length > 300).map(([path]) => path)
  expect(long.sort()).toEqual(['src/contract/openapi.ts', 'src/server/db/tables.ts'])
})
