import { once } from 'node:events'
import { mkdir, rm, statfs } from 'node:fs/promises'
import { createServer, request as openRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import packageJson from '../../../../package.json' with { type: 'json' }
import { createTestStorage, startTestApp } from '../../../../test/app.ts'
import { freePort } from '../../../../test/free-port.ts'
import { defaultLimits } from '../../../contract/limits.ts'
import { openApi } from '../../../contract/openapi.ts'
import { createApp } from '../../app.ts'
import { RecordedLog, startRecordedServer } from '../../lifecycle/recorded-server.fixtures.ts'

// Health, metrics, the docs page and the log, as an operator sees them.

const textOf = async (url: string) => (await fetch(url)).text()

/** The URLs that a browser loads for a page. */
const loadedBy = (html: string, page: string): URL[] =>
  [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => new URL(address, page))

/** A policy that allows only scripts and styles with the nonce, images of responses, and connections to this origin. */
const policyWith = (nonce: string) =>
  `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; img-src 'self' data: blob:; ` +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

test('responses are counted by operation and response_code', async () => {
  await using t = await startTestApp()
  await t.client.listTopics({ offset: 0, limit: 1 })
  await t.client.listTopics({ offset: 0, limit: 1 })
  await t.client.call('getTopic', { topic_id: 9 })
  await t.client.call('deleteTopic', { topic_id: 9 })
  await fetch(`${t.url}/nothing`)
  await fetch(`${t.url}/docs`)

  const response = await fetch(`${t.url}/metrics`)
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  const lines = (await response.text()).split('\n')
  expect(lines).toEqual(
    expect.arrayContaining([
      'summit_responses_total{operation="listTopics",response_code="1000"} 2',
      'summit_responses_total{operation="getTopic",response_code="4040"} 1',
      'summit_responses_total{operation="deleteTopic",response_code="4040"} 1',
      'summit_responses_total{operation="other",response_code="4041"} 1',
      'summit_responses_total{operation="other",response_code="2000"} 1',
      'summit_response_seconds_count{operation="listTopics"} 2',
    ]),
  )
})

test('an operator sees the version in the metrics', async () => {
  await using t = await startTestApp()
  expect(await textOf(`${t.url}/metrics`)).toContain(`summit_build_info{version="${packageJson.version}+source"} 1\n`)
})

test('the free bytes of the data folder are reported as long as the folder exists', async () => {
  await using t = await startTestApp()
  const free = async () => /^summit_data_free_bytes (\d+)$/m.exec(await textOf(`${t.url}/metrics`))?.[1]
  const { bavail, bsize } = await statfs(t.dataDir)
  expect(Math.abs(Number(await free()) - bavail * bsize)).toBeLessThan(2 ** 30)
  await rm(t.dataDir, { recursive: true })
  expect(await free()).toBeUndefined()
  await mkdir(t.dataDir)
  expect(Number(await free())).toBeGreaterThan(0)
})

test('/healthz and /readyz report a healthy server as ok and ready', async () => {
  await using t = await startTestApp()
  for (const [path, body] of [
    [
      'healthz',
      { status: 'ok', version: `${packageJson.version}+source`, summit: expect.stringMatching(/^[0-9a-f]{32}$/) },
    ],
    ['readyz', { status: 'ready' }],
  ]) {
    const response = await fetch(`${t.url}/${path}`)
    expect([response.status, await response.json()]).toEqual([200, body])
    expect(response.headers.get('cache-control')).toBe('no-store')
  }
})

test('/readyz reports not ready while the data folder is missing', async () => {
  await using t = await startTestApp()
  await rm(t.dataDir, { recursive: true })
  const response = await fetch(`${t.url}/readyz`)
  expect([response.status, await response.json()]).toEqual([503, { status: 'not ready' }])
  expect((await fetch(`${t.url}/healthz`)).status).toBe(200)
})

test('/readyz reports not ready once the database connection is closed', async () => {
  await using t = await startTestApp()
  await t.client.listTopics({ offset: 0, limit: 1 })
  await t.ctx.database.read.destroy()
  const response = await fetch(`${t.url}/readyz`)
  expect([response.status, await response.json()]).toEqual([503, { status: 'not ready' }])
})

test('/openapi.json is the contract with the limits and the base URL of this server', async () => {
  await using t = await startTestApp({ PUBLIC_URL: 'https://summit.example/backend', MAX_NAME: '7' })
  const limits = { ...defaultLimits, name: 7 }
  const document = openApi({
    limits,
    version: packageJson.version,
    serverUrl: 'https://summit.example/backend',
    access: 'open',
  })
  expect(await textOf(`${t.url}/openapi.json`)).toBe(JSON.stringify(document))
  await using other = await startTestApp()
  expect(JSON.parse(await textOf(`${other.url}/openapi.json`)).servers[0].url).toBe('/')
})

test('the docs page loads only resources of this server, and all of them exist', async () => {
  await using t = await startTestApp()
  const start = await fetch(`${t.url}/docs`)
  const loaded = loadedBy(await start.text(), start.url).filter(({ protocol }) => protocol !== 'data:')
  expect(loaded.map(({ pathname }) => pathname)).toContain('/docs/assets/swagger-ui-bundle.js')
  for (const url of [new URL(start.url), ...loaded]) {
    const { status, headers } = await fetch(url)
    expect([url.origin, url.pathname, status]).toEqual([t.url, url.pathname, 200])
    if (url.pathname === '/openapi.json') continue
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    if (!['/docs', '/docs/guide'].includes(url.pathname))
      expect(headers.get('content-security-policy')).toBe("default-src 'none'")
  }
  expect((await fetch(`${t.url}/docs/assets/package.json`)).status).toBe(404)
})

test('the docs page links the API guide, a page on which every link leads somewhere', async () => {
  await using t = await startTestApp()
  const [guide] = loadedBy(await textOf(`${t.url}/docs`), `${t.url}/docs`).filter(({ pathname }) =>
    pathname.endsWith('/guide'),
  )
  const response = await fetch(guide ?? '')
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(response.headers.get('content-security-policy')).not.toContain('script-src')
  const page = await response.text()
  expect(page).toContain('<h1 id="api-guide">API guide</h1>')
  const idsOf = (pattern: RegExp) => Array.from(page.matchAll(pattern), ([, id]) => id)
  const links = idsOf(/<a href="([^"]*)"/g)
  expect(links).toContain('#the-shape-of-me')
  const ids = new Set(idsOf(/ id="([^"]*)"/g).map((id) => `#${id}`))
  const others = new Set(links.filter((link = '') => !ids.has(link) && !link.startsWith('https:')))
  expect([...others]).toEqual(['../docs', '../openapi.json'])
  for (const link of others) expect((await fetch(new URL(link ?? '', response.url))).status).toBe(200)
})

test('the docs page has a new nonce each time and runs only scripts that carry it', async () => {
  await using t = await startTestApp()
  const nonces: string[] = []
  for (const path of ['/docs', '/docs']) {
    const { headers, ...response } = await fetch(t.url + path).then(async (r) => ({
      headers: r.headers,
      html: await r.text(),
    }))
    const active = Array.from(response.html.matchAll(/<(?:script|link rel="stylesheet")[^>]*>/g), ([tag]) => tag)
    expect(active).toHaveLength(3)
    const [nonce = ''] = active.map((tag) => /nonce="([\w+/=-]{22,})"/.exec(tag)?.[1] ?? '')
    for (const tag of active) expect(tag).toContain(`nonce="${nonce}"`)
    expect(headers.get('content-security-policy')).toBe(policyWith(nonce))
    expect(headers.get('cache-control')).toBe('no-store')
    nonces.push(nonce)
  }
  expect(new Set(nonces).size).toBe(2)
})

test.each(['/docs/', '/docs//', '/docs///?from=/a/b/', '//docs', '//docs//?x', `/docs${'/'.repeat(99)}`])(
  '%s redirects to the docs page, however many slashes it has',
  async (path) => {
    await using t = await startTestApp()
    const page = await fetch(t.url + path)
    expect([page.url, page.status]).toEqual([`${t.url}/docs`, 200])
  },
)

test('the docs page works below a path prefix of a proxy', async () => {
  await using t = await startTestApp({ PUBLIC_URL: 'https://summit.example/backend' })
  const proxy = createServer((request, response) => {
    const path = /^\/backend(\/.*)$/.exec(request.url ?? '')?.[1]
    if (path === undefined) return void response.writeHead(404).end()
    openRequest(`${t.url}${path}`, (upstream) => {
      response.writeHead(upstream.statusCode ?? 500, upstream.headers)
      upstream.pipe(response)
    }).end()
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const base = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/backend`
  for (const path of ['/docs', '/docs/', '/docs//']) {
    const page = await fetch(base + path)
    expect(page.url).toBe(`${base}/docs`)
    for (const url of loadedBy(await page.text(), page.url))
      if (url.protocol !== 'data:') expect([url.pathname, (await fetch(url)).status]).toEqual([url.pathname, 200])
  }
  const script = await textOf(`${base}/docs/start.js`)
  expect(script).toContain("fetch('openapi.json')")
  proxy.closeAllConnections()
  proxy.close()
})

test('the log line of each response can be found by the request id that the client received', async () => {
  await using storage = await createTestStorage()
  await using server = await startRecordedServer({ ...storage.settings, LOG_LEVEL: 'info' })
  const listed = await fetch(`${server.url}/api/newsfeeds/topics/0/1?secret=hush`)
  const rejected = await fetch(`${server.url}/api/newsfeeds/topics/create`, { method: 'POST', body: 'name=hush' })
  const page = await fetch(`${server.url}/docs`)
  const notFound = await fetch(`${server.url}/api/newsfeed/topics/0/hush@x.example/Hush7f3a/?hush=hush`)
  const notAllowed = await fetch(`${server.url}/api/newsfeeds/files/7/hush.txt`, { method: 'PUT' })
  const malformed = await fetch(`${server.url}/api/newsfeeds/hush/%zz`)

  const lines = await server.close()
  const lineOf = ({ headers }: Response) => lines.filter(({ reqId }) => reqId === headers.get('request-id'))
  const common = {
    ...{ level: 30, msg: 'request completed', status: 200, ms: expect.any(Number) },
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  }
  expect(lineOf(listed)).toEqual([
    expect.objectContaining({ ...common, operation: 'listTopics', method: 'GET', response_code: 1000 }),
  ])
  expect(lineOf(rejected)).toEqual([
    expect.objectContaining({ ...common, operation: 'createTopic', method: 'POST', response_code: 4150 }),
  ])
  expect(lineOf(page)).toEqual([expect.objectContaining({ ...common, method: 'GET' })])
  expect(lineOf(notFound)).toEqual([
    expect.objectContaining({ ...common, path: '/api/newsfeed/topics/…/…/…/', response_code: 4041 }),
  ])
  expect(lineOf(malformed)).toEqual([expect.objectContaining({ ...common, method: 'GET', response_code: 4000 })])
  expect(lineOf(notAllowed)).toEqual([expect.objectContaining({ ...common, method: 'PUT', response_code: 4050 })])
  expect(JSON.stringify(lines)).not.toMatch(/hush|topics\/0/i)
})

test('an unreachable dependency is logged as a warning, not as an error', async () => {
  await using storage = await createTestStorage()
  const s3 = `s3://KEY:s3cret@summit?endpoint=http://127.0.0.1:${await freePort()}`
  await using server = await startRecordedServer({ ...storage.settings, LOG_LEVEL: 'warn', BLOBS_URL: s3 })
  const upload = { files: [new File(['Hello'], 'a.txt')] }
  const { envelope } = await server.client.call('createTopic', { name: 'Lunch', created_by: 1 }, upload)
  expect(envelope.response_code).toBe(5030)
  const lines = await server.close()
  expect(lines.filter(({ msg }) => msg === 'request failed')).toEqual([
    expect.objectContaining({ level: 40, reason: 'UNAVAILABLE', err: expect.objectContaining({ type: 'S3Error' }) }),
  ])
})

test('a response that is sent twice is logged as an error, and the server continues', async () => {
  await using t = await startTestApp({ LOG_LEVEL: 'error' })
  const sink = new RecordedLog()
  await using app = await createApp(t.ctx, { sink })
  app.get('/twice', (_request, reply) => {
    reply.hijack()
    reply.raw.end('once')
    reply.raw.end('twice')
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  expect(await textOf(`${url}/twice`)).toBe('once')
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  await app.close()
  expect(sink.lines()).toMatchObject([{ level: 50, err: { message: 'write after end' }, msg: 'response failed' }])
})

test('responses are not logged at level warn', async () => {
  await using storage = await createTestStorage()
  await using server = await startRecordedServer({ ...storage.settings, LOG_LEVEL: 'warn' })
  await fetch(`${server.url}/api/newsfeeds/topics/0/1`)
  expect(await server.close()).toEqual([])
})
