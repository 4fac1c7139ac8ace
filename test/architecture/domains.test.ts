import { matchesGlob } from 'node:path'
import { expect, test } from 'vitest'
import vitestConfig from '../../vitest.config.ts'
import { describeImport, domainOf, domains, findImports, imports, text, withRoutes } from './sources.ts'

// The rules for domains and their stores in docs/architecture.md, and where their tests run.

/** `app.ts` mounts the routes. */
const allowedImport = /^src\/server\/app\.ts -> .*\/routes\.ts$/

const isInternal = (path: string) => domains.has(domainOf(path) ?? '') && /(-store|\/store|\/routes)\.ts$/.test(path)

test('only a domain itself imports its store and routes', () => {
  const violations = imports
    .filter(({ from, to }) => isInternal(to) && domainOf(from) !== domainOf(to))
    .map(describeImport)
  expect(violations.filter((line) => !allowedImport.test(line))).toEqual([])
})

test('a domain names each function of its stores that it shares', () => {
  const reexports = findImports(/^export \*[^'"=]* from '(\.[^']+)'/gm)
  expect(reexports.filter(({ to }) => isInternal(to)).map(describeImport)).toEqual([])
})

test('only the stores of a domain query its tables, and its column files only read', () => {
  const queries = /\.(selectFrom|insertInto|updateTable|deleteFrom)\(/
  const changes = /\.(insertInto|updateTable|deleteFrom)\(/
  const violations = [...text]
    .filter(([path]) => domains.has(domainOf(path) ?? '') && !/(-store|\/store)\.ts$/.test(path))
    .filter(([path, code]) => (path.endsWith('-columns.ts') ? changes : queries).test(code))
    .map(([path]) => path)
  expect(violations).toEqual([])
})

test('the tests of every domain with routes run on PostgreSQL, too, by onAnyEngine in vitest.config.ts', () => {
  const projects = (vitestConfig.test?.projects ?? []).flatMap((project) =>
    typeof project === 'object' && 'test' in project && project.test?.name === 'long-postgres' ? [project.test] : [],
  )
  const matches = (path: string, patterns: readonly string[] = []) => patterns.some((one) => matchesGlob(path, one))
  const runsOnPostgres = (path: string) =>
    projects.some(({ include, exclude }) => matches(path, include) && !matches(path, exclude))
  expect(withRoutes.filter((domain) => !runsOnPostgres(`src/server/domains/${domain}/any.test.ts`))).toEqual([])
})
