import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, matchesGlob, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'
import vitestConfig from '../vitest.config.ts'

// The dependency rules of docs/architecture.md, checked on the text of every source file.

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

const describeImport = ({ from, to }: Import) => `${from} -> ${to}`
/** The folder of a file of the server, or the name of one outside folders. */
const placeOf = (path: string) => /^src\/server\/([a-z-]+)(?:\/|\.ts$)/.exec(path)?.[1]
const folderOf = (path: string) => /^src\/server\/([a-z-]+)\//.exec(path)?.[1]
const folders = [...new Set([...text.keys()].flatMap((path) => folderOf(path) ?? []))]
const withRoutes = folders.filter((folder) => text.has(`src/server/${folder}/routes.ts`))
const domains = new Set([...withRoutes, 'import', 'export'])

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

/** `app.ts` mounts the routes, `orphans.ts` looks for rows that refer to a blob. */
const allowedImports = [
  /^src\/server\/app\.ts -> .*\/routes\.ts$/,
  /^src\/server\/orphans\/orphans\.ts -> src\/server\/(files|participants|program)\/store\.ts$/,
]

const isInternal = (path: string) => domains.has(folderOf(path) ?? '') && /(-store|\/store|\/routes)\.ts$/.test(path)

test('only a domain itself imports its store and routes', () => {
  const violations = imports
    .filter(({ from, to }) => isInternal(to) && folderOf(from) !== folderOf(to))
    .map(describeImport)
  expect(violations.filter((line) => !allowedImports.some((allowed) => allowed.test(line)))).toEqual([])
})

test('no domain re-exports a function of its store', () => {
  const violations = [...text].flatMap(([from, code]) =>
    [...code.matchAll(/^export (?!type )[^'"=]* from '(\.[^']+)'/gm)]
      .map(([, to = '']) => ({ from, to: relative(root, resolve(root, dirname(from), to)) }))
      .filter(({ to }) => isInternal(to)),
  )
  expect(violations.map(describeImport)).toEqual([])
})

test('only the stores of a domain query its tables, and its column files only read', () => {
  const queries = /\.(selectFrom|insertInto|updateTable|deleteFrom)\(/
  const changes = /\.(insertInto|updateTable|deleteFrom)\(/
  const violations = [...text]
    .filter(([path]) => domains.has(folderOf(path) ?? '') && !/(-store|\/store)\.ts$/.test(path))
    .filter(([path, code]) => (path.endsWith('-columns.ts') ? changes : queries).test(code))
    .map(([path]) => path)
  expect(violations).toEqual([])
})

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
  'participants',
  'files',
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

test('the tests of every folder with routes run on PostgreSQL, too, by onAnyEngine in vitest.config.ts', () => {
  const projects = (vitestConfig.test?.projects ?? []).flatMap((project) =>
    typeof project === 'object' && 'test' in project && project.test?.name === 'long-postgres' ? [project.test] : [],
  )
  const matches = (path: string, patterns: readonly string[] = []) => patterns.some((one) => matchesGlob(path, one))
  const runsOnPostgres = (path: string) =>
    projects.some(({ include, exclude }) => matches(path, include) && !matches(path, exclude))
  expect(withRoutes.filter((folder) => !runsOnPostgres(`src/server/${folder}/any.test.ts`))).toEqual([])
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

/** What opens connections to other servers, or resolves their names. */
const connecting = [
  /(from |import\()'node:(https|http2|tls|dgram|dns)/,
  /^import \{[^}]*(?<!type )\b(request|get|Agent|ClientRequest|connect|createConnection|Socket)\b[^}]*\} from 'node:(http|net)'/m,
  /(^import [^{]*from |import\()'node:(http|net)'/m,
  /(?<![.\w])(fetch|WebSocket|EventSource)\(/,
]

test('connections to other servers are opened by egress, and by the clients of the database and of S3', () => {
  const violations = [...text].filter(
    ([path, code]) =>
      /^src\/server\/(?!(egress|db|blobs)\/)(?!.*\.fixtures\.ts$)/.test(path) &&
      connecting.some((pattern) => pattern.test(code)),
  )
  // It contains a script for browsers.
  expect(violations.map(([path]) => path)).toEqual(['src/server/ops/docs.ts'])
})

test('only mail imports nodemailer, which gets its connections from egress', () => {
  const users = imports.filter(({ to }) => to.startsWith('nodemailer')).map(({ from }) => from)
  expect(new Set(users)).toEqual(new Set(['src/server/mail/smtp.ts']))
  expect(text.get('src/server/mail/smtp.ts')).toContain('getSocket')
})

test('only oidc imports openid-client, which gets its connections from egress', () => {
  const users = imports.filter(({ to }) => to.startsWith('openid-client')).map(({ from }) => from)
  expect(new Set(users)).toEqual(new Set(['src/server/oidc/identity-provider.ts']))
  expect(text.get('src/server/oidc/identity-provider.ts')).toContain('[customFetch]: createFetch(')
})

test('only passkeys imports WebAuthn, which would connect to servers that certificates name', () => {
  const users = imports.filter(({ to }) => to.startsWith('@simplewebauthn')).map(({ from }) => from)
  expect(new Set(users)).toEqual(new Set(['src/server/passkeys/verify.ts']))
  expect(text.get('src/server/passkeys/verify.ts')).toContain("get('x5c') === undefined")
})

test('processes are started without a shell', () => {
  const violations = [...text].filter(([, code]) =>
    /import \{[^}]*\bexec(Sync)?\b[^}]*\} from 'node:child_process'|\bshell:/.test(code),
  )
  expect(violations.map(([path]) => path)).toEqual([])
})

test('patterns are composed in these files only, of constants and never of input', () => {
  const composing = [...text]
    .filter(([path, code]) => !path.endsWith('.fixtures.ts') && /\bRegExp\(/.test(code))
    .map(([path]) => path)
  expect(composing.sort()).toEqual([
    'src/contract/visible.ts',
    'src/server/backup/object-names.ts',
    'src/server/core/links.ts',
    'src/server/core/media-key.ts',
    'src/server/export/formula-guard.ts',
    'src/server/http/request/multipart.ts',
    'src/server/http/unknown-routes.ts',
    'src/server/import/formats/date-hints.ts',
    'src/server/mail/mail-address.ts',
  ])
})

test('pages store nothing in the browser but the cookies of the server', () => {
  const folder = join(src, 'server/pages')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /(?<!\.test)\.[jt]s$/.test(path),
  )
  const storing = /\b(localStorage|sessionStorage|indexedDB|caches|serviceWorker)\b|document\.cookie/
  expect(files.some((path) => path.endsWith('sign-in.js'))).toBe(true)
  expect(files.filter((path) => storing.test(readFileSync(join(folder, path), 'utf8')))).toEqual([])
})

test('only entry points read the environment', () => {
  const violations = [...text].filter(([, code]) => code.includes('process.env')).map(([path]) => path)
  expect(violations.sort()).toEqual(['src/cli/main.ts', 'src/server/lifecycle/workers/main.ts', 'src/server/main.ts'])
})

test('nothing is logged by `request.log` or `reply.log`, which discard it', () => {
  const violations = [...text].filter(([, code]) => /\b(request|req|reply)\.log\b(?!`)/.test(code))
  expect(violations.map(([path]) => path)).toEqual([])
})

test('Fastify adds no listeners to responses: decision 28 has what they cost', () => {
  const options = /['"]onResponse['"]|\b(onResponse|logger|loggerInstance|handlerTimeout):/
  const violations = [...text].filter(([, code]) => code.includes("'fastify'") && options.test(code))
  expect(violations.map(([path]) => path)).toEqual([])
})

test('migrations import only Kysely', () => {
  const violations = imports.filter(({ from, to }) => from.startsWith('src/server/db/migrations/') && to !== 'kysely')
  expect(violations.map(describeImport)).toEqual([])
})

test('there are no import cycles', () => {
  const next = Map.groupBy(
    // Types do not exist at run time, so a cycle of types does no harm.
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

test('files are shorter than 300 lines, but for two tables', () => {
  const long = [...text].filter(([, code]) => code.split('\n').length > 300).map(([path]) => path)
  expect(long.sort()).toEqual(['src/contract/openapi.ts', 'src/server/db/tables.ts'])
})
