import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

/** The arrows of the house (docs/architecture.md), held by looking at every import. */

const root = join(import.meta.dirname, '..')
const src = join(root, 'src')

interface Import {
  from: string
  to: string
}

const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  .map((path) => join(src, path))

const text = new Map(sources.map((path) => [relative(root, path), readFileSync(path, 'utf8')]))

const imports: Import[] = [...text].flatMap(([from, code]) =>
  [...code.matchAll(/(?:from|import\()\s*'([\w@./:-]+)'/g)].map(([, to = '']) => ({
    from,
    to: to.startsWith('.') ? relative(root, resolve(root, dirname(from), to)) : to,
  })),
)

const arrows = ({ from, to }: Import) => `${from} -> ${to}`
const folderOf = (path: string) => /^src\/server\/([a-z-]+)\//.exec(path)?.[1]
const domains = new Set(['newsfeed', 'files', 'program', 'feedback', 'participants', 'import', 'export'])

test('the contract imports nothing but TypeBox and itself', () => {
  const strays = imports.filter(
    ({ from, to }) => from.startsWith('src/contract/') && !to.startsWith('src/contract/') && !to.startsWith('typebox'),
  )
  expect(strays.map(arrows)).toEqual([])
})

test('the client imports nothing but the contract and itself', () => {
  const strays = imports.filter(
    ({ from, to }) => from.startsWith('src/client/') && !/^src\/(client|contract)\//.test(to),
  )
  expect(strays.map(arrows)).toEqual([])
})

/** `app.ts` mounts the routes, `orphans.ts` asks which blobs are still named. */
const insiders = [
  /^src\/server\/app\.ts -> .*\/routes\.ts$/,
  /^src\/server\/orphans\/orphans\.ts -> src\/server\/(files|participants|program)\/store\.ts$/,
]

const isInside = (path: string) => domains.has(folderOf(path) ?? '') && /(-store|\/store|\/routes)\.ts$/.test(path)

test("nobody imports a domain's store or routes but the domain itself", () => {
  const strays = imports.filter(({ from, to }) => isInside(to) && folderOf(from) !== folderOf(to)).map(arrows)
  expect(strays.filter((arrow) => !insiders.some((allowed) => allowed.test(arrow)))).toEqual([])
})

test("no domain passes a function of its store on to others, under whatever name; that is a domain's own to give", () => {
  const strays = [...text].flatMap(([from, code]) =>
    [...code.matchAll(/^export (?!type )[^'"=]* from '(\.[^']+)'/gm)]
      .map(([, to = '']) => ({ from, to: relative(root, resolve(root, dirname(from), to)) }))
      .filter(({ to }) => isInside(to)),
  )
  expect(strays.map(arrows)).toEqual([])
})

test("only the stores of a domain query its tables, and the columns that it has for others' queries", () => {
  const queries = /\.(selectFrom|insertInto|updateTable|deleteFrom)\(/
  const changes = /\.(insertInto|updateTable|deleteFrom)\(/
  const strays = [...text]
    .filter(([path]) => domains.has(folderOf(path) ?? '') && !/(-store|\/store)\.ts$/.test(path))
    .filter(([path, code]) => (path.endsWith('-columns.ts') ? changes : queries).test(code))
    .map(([path]) => path)
  expect(strays).toEqual([])
})

/** The folders of the server from the lowest up: each imports only from those before it, types included. */
const order = [
  'core',
  'data-dir',
  'images',
  'db',
  'blobs',
  'config',
  'changes',
  'cache',
  'participants',
  'files',
  'newsfeed',
  'program',
  'feedback',
  'export',
  'import',
  'erasure',
  'orphans',
  'move',
  'check',
  'ops',
  'http',
  'lifecycle',
]

/** The files outside of any folder, where the program is put together. */
const assembly = ['app', 'context', 'main', 'operation', 'scope'].map((name) => `src/server/${name}.ts`)

test('arrows between the folders of the server point one way', () => {
  const strays = imports.filter(({ from, to }) => {
    const [upper, lower] = [folderOf(from), folderOf(to)]
    if (upper === undefined || lower === undefined || upper === lower) return false
    return order.indexOf(lower) >= order.indexOf(upper) || !order.includes(lower)
  })
  expect(strays.map(arrows)).toEqual([])
})

test('only what puts the program together stands outside of the folders', () => {
  const loose = [...text.keys()].filter((path) => /^src\/server\/[^/]+$/.test(path))
  expect(loose.sort()).toEqual(assembly)
})

test('responses are cached by what is in their key, whatever the request: the cache and the domains know no HTTP', () => {
  const strays = imports.filter(
    ({ from, to }) =>
      (folderOf(from) === 'cache' || domains.has(folderOf(from) ?? '')) &&
      (folderOf(to) === 'http' || to === 'fastify'),
  )
  expect(strays.map(arrows)).toEqual([])
})

/** The settings name what may be chosen; what is behind a name is known only where the choice is made. */
const settings = 'src/server/config/'

test.each([
  ['database engine', 'src/server/db/', /sqlite|postgres|'pg'/i],
  ['store of blobs', 'src/server/blobs/', /S3|'s3|s3:|aws-sdk|AWS|'fs'|FsBlobs/],
])('no %s is named but in %s', (_, home, names) => {
  const strays = [...text].filter(
    ([path, code]) => !path.startsWith(home) && !path.startsWith(settings) && names.test(code),
  )
  expect(strays.map(([path]) => path)).toEqual([])
})

test('who needs blobs knows the interface, and no driver', () => {
  const strays = imports.filter(
    ({ from, to }) => folderOf(from) !== 'blobs' && /^src\/server\/blobs\/(fs|s3)|^@aws-sdk/.test(to),
  )
  expect(strays.map(arrows)).toEqual([])
})

test('only those who start a program read the environment, and hand it to the configuration', () => {
  const strays = [...text].filter(([, code]) => code.includes('process.env')).map(([path]) => path)
  expect(strays.sort()).toEqual(['src/cli/main.ts', 'src/server/lifecycle/workers/main.ts', 'src/server/main.ts'])
})

test('migrations import Kysely and nothing of ours', () => {
  const strays = imports.filter(({ from, to }) => from.startsWith('src/server/db/migrations/') && to !== 'kysely')
  expect(strays.map(arrows)).toEqual([])
})

test('no file imports itself by a detour', () => {
  const next = Map.groupBy(
    // Types are gone at run time, and a cycle of them alone does no harm.
    [...text].flatMap(([from, code]) =>
      [...code.matchAll(/^(?:import|export) (?!type )[^'"]*from '(\.[^']+)'/gm)].map(([, to = '']) => ({
        from,
        to: relative(root, resolve(root, dirname(from), to)),
      })),
    ),
    ({ from }) => from,
  )
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

test('files are small: one idea each', () => {
  const long = [...text].filter(([, code]) => code.split('\n').length > 400).map(([path]) => path)
  expect(long).toEqual([])
})
