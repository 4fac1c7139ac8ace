import { describe, expect, test } from 'vitest'
import { createClient } from '../src/client/client.ts'
import { startTestApp } from './app.ts'
import { caddyMissing, startCaddy } from './faults/caddy.ts'
import { createDataFolder } from './faults/create-data-folder.ts'
import { nginxMissing, startHostNginx, startNginx } from './faults/nginx.ts'
import * as make from './make.ts'

// More requests than the limits of nginx let through at once.

test.skipIf(nginxMissing !== undefined)(
  'a venue that shares an address loads the assets of pages without limit through nginx',
  async () => {
    await using folder = await createDataFolder()
    await using t = await startTestApp()
    await using nginx = await startHostNginx(folder.dir, Number(new URL(t.url).port))
    const [style] = /\/web\/[^"]+/.exec(await (await fetch(`${nginx.url}/sign-in`)).text()) ?? []
    const statuses = new Set<number>()
    for (let n = 0; n < 50; n++)
      for (const { status } of await Promise.all(
        Array.from({ length: 50 }, () => fetch(nginx.url + style, { method: 'HEAD' })),
      ))
        statuses.add(status)
    expect([...statuses]).toEqual([200])
  },
)

const pagesHeaders = ['content-encoding', 'etag', 'cache-control', 'vary', 'content-security-policy', 'content-type']

/** The headers by which browsers keep a page or an asset, and its text. */
async function fetchPage(url: string, headers: Record<string, string>) {
  const response = await fetch(url, { headers, redirect: 'manual' })
  const kept = pagesHeaders.map((name) => response.headers.get(name))
  return { status: response.status, location: response.headers.get('location'), kept, text: await response.text() }
}

test.skipIf(nginxMissing !== undefined || caddyMissing !== undefined).each([
  ['nginx on a host', startHostNginx],
  ['nginx in containers', (dir: string, port: number) => startNginx(dir, [port, port])],
  ['Caddy', startCaddy],
])('%s hands pages and assets on as they are, compressed once and with their tags', async (_, startProxy) => {
  await using folder = await createDataFolder()
  await using t = await startTestApp({ ACCESS: 'public', PUBLIC_URL: 'https://summit.example' })
  const id = await make.event(t)
  await using proxy = await startProxy(folder.dir, Number(new URL(t.url).port))
  const page = await fetchPage(`${t.url}/sessions/${id}`, { 'accept-encoding': 'gzip' })
  expect(page.kept.slice(0, 3)).toEqual(['gzip', expect.stringMatching(/^W\/"/), 'public, no-cache'])
  const [style = '', script = ''] = Array.from(page.text.matchAll(/(?:href|src)="(\/web\/[^"]+)/g), ([, path]) => path)
  expect(script).toMatch(/\.js$/)
  for (const path of [`/sessions/${id}`, '/program', style, script, '/sign-in', '/program/none'])
    for (const encoding of ['gzip', 'identity']) {
      const headers = { 'accept-encoding': encoding, accept: 'text/html' }
      // What Summit does not compress, nginx may.
      const [direct, through] = [await fetchPage(t.url + path, headers), await fetchPage(proxy.url + path, headers)]
      if (direct.kept[0] === null) through.kept[0] = null
      // At its own address, its assets are there too.
      const hosts = [t.url, proxy.url].map((url) => ` ${url}/web/`)
      for (const { kept } of [direct, through])
        kept[4] = hosts.reduce((policy, own) => policy.replaceAll(own, ''), kept[4] ?? '')
      expect(through, path).toEqual(direct)
    }
  const tag = { 'if-none-match': page.kept[1] ?? '', 'accept-encoding': 'gzip' }
  expect(await fetchPage(`${proxy.url}/sessions/${id}`, tag)).toMatchObject({ status: 304, text: '' })
  for (const path of ['/docs', '/metrics', '/openapi.json', '/parts', '/none'])
    expect((await fetchPage(proxy.url + path, {})).status, path).toBe(404)
})

/** Sends writes without pause. @returns the number of responses with each status, and the `Retry-After` of a 429 */
async function flood(url: string, count: number, headers: Record<string, string> = {}) {
  const statuses: Record<number, number> = {}
  let retryAfter: string | null = null
  const sendOneByOne = async () => {
    for (let n = 0; n < count / 10; n++) {
      const response = await fetch(`${url}/api/none`, { method: 'DELETE', headers })
      await response.arrayBuffer()
      statuses[response.status] = (statuses[response.status] ?? 0) + 1
      if (response.status === 429) retryAfter = response.headers.get('retry-after')
    }
  }
  await Promise.all(Array.from({ length: 10 }, sendOneByOne))
  return { statuses, retryAfter }
}

/** More than the burst of 500, and than the 50 a second by which it is filled on a machine that takes seconds for them. */
const beyondBurst = 1_200

describe.skipIf(nginxMissing !== undefined)('a network that floods the summit with writes', () => {
  test('gets 429 from nginx on a host, and still reads', async () => {
    await using folder = await createDataFolder()
    await using t = await startTestApp()
    await using nginx = await startHostNginx(folder.dir, Number(new URL(t.url).port))
    const { statuses, retryAfter } = await flood(nginx.url, beyondBurst)
    expect(statuses[200]).toBeGreaterThan(500)
    expect(statuses[429]).toBeGreaterThan(50)
    expect(retryAfter).toBe('1')
    expect((await createClient(nginx.url).listTopics({ offset: 0, limit: 1 })).NewsFeed).toEqual([])
    expect((await nginx.stop()).errors).toBe('')
  })

  test('does not keep others from writing through nginx in containers', async () => {
    await using folder = await createDataFolder()
    await using t = await startTestApp()
    const port = Number(new URL(t.url).port)
    await using nginx = await startNginx(folder.dir, [port, port])
    const write = async (count: number, address?: string) =>
      (await flood(nginx.url, count, address === undefined ? {} : { 'x-forwarded-for': address })).statuses
    expect((await write(beyondBurst, '2001:db8:1:2::1'))[429]).toBeGreaterThan(50)
    expect((await write(50, '2001:db8:1:2:ffff::9'))[429]).toBeGreaterThan(0)
    for (const other of ['2001:db8:1:3::1', '203.0.113.7']) expect(await write(50, other)).toEqual({ 200: 50 })
    // A proxy on the host that does not say whose requests it sends.
    expect(await write(600)).toEqual({ 200: 600 })
  })
})
