import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeImport, imports, src, text } from './sources.ts'

// Code that only some files may contain, or none.

/** Code that opens connections to other servers, or resolves their names. */
const connecting = [
  /(from |import\()'node:(https|http2|tls|dgram|dns)/,
  /^import \{[^}]*(?<!type )\b(request|get|Agent|ClientRequest|connect|createConnection|Socket)\b[^}]*\} from 'node:(http|net)'/m,
  /(^import [^{]*from |import\()'node:(http|net)'/m,
  /(?<![.\w])(fetch|WebSocket|EventSource)\(/,
]

test('connections to other servers are opened by egress, and by the clients of the database and of S3', () => {
  const violations = [...text].filter(
    ([path, code]) =>
      /^src\/server\/(?!(platform\/egress|storage\/db|storage\/blobs)\/)(?!.*\.fixtures\.ts$)/.test(path) &&
      connecting.some((pattern) => pattern.test(code)),
  )
  // It contains a script for browsers.
  expect(violations.map(([path]) => path)).toEqual(['src/server/http/operations/docs.ts'])
})

test('only mail imports nodemailer, which gets its connections from egress', () => {
  const users = imports.filter(({ to }) => to.startsWith('nodemailer')).map(({ from }) => from)
  expect(new Set(users)).toEqual(new Set(['src/server/platform/mail/smtp.ts']))
  expect(text.get('src/server/platform/mail/smtp.ts')).toContain('getSocket')
})

test('only oidc imports openid-client, which gets its connections from egress', () => {
  const users = imports.filter(({ to }) => to.startsWith('openid-client')).map(({ from }) => from)
  expect(new Set(users)).toEqual(new Set(['src/server/http/oidc/identity-provider.ts']))
  expect(text.get('src/server/http/oidc/identity-provider.ts')).toContain('[customFetch]: createFetch(')
})

test('only passkeys imports WebAuthn, which would connect to servers that certificates name', () => {
  const users = imports.filter(({ to }) => to.startsWith('@simplewebauthn')).map(({ from }) => from)
  expect(new Set(users)).toEqual(new Set(['src/server/auth/passkeys/verify.ts']))
  expect(text.get('src/server/auth/passkeys/verify.ts')).toContain("get('x5c') === undefined")
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
    'src/server/commands/backup/object-names.ts',
    'src/server/core/links.ts',
    'src/server/core/media-key.ts',
    'src/server/domains/export/formula-guard.ts',
    'src/server/domains/import/participants/name-keys.ts',
    'src/server/domains/import/times/day-order.ts',
    'src/server/http/request/multipart.ts',
    'src/server/http/unknown-routes.ts',
    'src/server/platform/mail/mail-address.ts',
  ])
})

/** The scripts of the pages, by path. */
const scripts = new Map(
  readdirSync(join(src, 'web'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.startsWith('built'))
    .map((path) => [path, readFileSync(join(src, 'web', path), 'utf8')]),
)

test('pages store nothing in the browser but stars and the cookies of the server', () => {
  const storing = /\b(localStorage|sessionStorage|indexedDB|caches|serviceWorker)\b|document\.cookie/
  expect([...scripts].filter(([, code]) => storing.test(code)).map(([path]) => path)).toEqual(['lib/stars.ts'])
})

test('scripts of pages import only themselves and types of the contract, and make no markup of text', () => {
  expect(scripts.has('attendee.ts')).toBe(true)
  const foreign =
    /^import (?!type [^'"]*'(?:\.\.\/)+contract\/)[^'"]*from '(?!\.\.?\/(?:lib|text|grid)\/|\.\/[\w-]+\.ts')/m
  const markup =
    /\b(innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|setAttribute\('(?:style|on))|\.style\b/
  expect([...scripts].filter(([, code]) => foreign.test(code) || markup.test(code)).map(([path]) => path)).toEqual([])
})

test('attendee pages import no domain', () => {
  const violations = imports.filter(
    ({ from, to }) => from.startsWith('src/server/http/pages/attendee/') && to.startsWith('src/server/domains/'),
  )
  expect(violations.map(describeImport)).toEqual([])
})

test('only entry points read the environment', () => {
  const violations = [...text].filter(([, code]) => code.includes('process.env')).map(([path]) => path)
  expect(violations.sort()).toEqual(['src/cli/main.ts', 'src/server/lifecycle/workers/main.ts', 'src/server/main.ts'])
})

/** As a member, or by destructuring a request or reply. */
const silentLog =
  /\b(request|req|reply)\.log\b(?!`)|\{(?:[^{}]|\{[^{}]*\})*\blog\b(?:[^{}]|\{[^{}]*\})*\}(: Fastify(Request|Reply)\b| = (request|req|reply)\b(?!\.))/

test('nothing is logged by `request.log` or `reply.log`, which discard it', () => {
  for (const code of ['request.log.info()', 'const { log } = reply', '({ log, a: { b } }: FastifyRequest) => b'])
    expect(code).toMatch(silentLog)
  const violations = [...text].filter(([, code]) => silentLog.test(code))
  expect(violations.map(([path]) => path)).toEqual([])
})

test('Fastify adds no listeners to responses: docs/performance.md has what they cost', () => {
  const options = /['"]onResponse['"]|\b(onResponse|logger|loggerInstance|handlerTimeout):/
  const violations = [...text].filter(([, code]) => code.includes("'fastify'") && options.test(code))
  expect(violations.map(([path]) => path)).toEqual([])
})
