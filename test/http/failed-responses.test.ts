import { rm } from 'node:fs/promises'
import { get } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../app.ts'
import * as make from '../make.ts'
import { setUpSharedApp } from '../shared-app.ts'

/** The headers of every failure: a cache must not store it. */
const failureHeaders = { 'cache-control': 'no-store', vary: 'Accept' }
const fileHeaders = ['etag', 'content-disposition', 'accept-ranges', 'content-range', 'content-security-policy']

test.each([
  ['an envelope', {}, 200],
  ['a problem (RFC 9457)', { accept: 'application/problem+json' }, 500],
  ['an envelope for a range', { range: 'bytes=1-2' }, 200],
])('a file whose bytes are missing gets %s without the headers of a file', async (_, headers, status) => {
  await using t = await startTestApp()
  const data = Buffer.from('Hello').toString('base64')
  const { content } = await make.topic(t, { uploaded_files: [{ name: 'a.txt', data }] })
  await rm(join(t.dataDir, 'blobs', 'kept'), { recursive: true })

  const response = await fetch(make.only(content.uploaded_files).link, { headers })

  expect(response.status).toBe(status)
  expect(Object.fromEntries(response.headers)).toMatchObject(failureHeaders)
  for (const header of fileHeaders) expect(response.headers.get(header), header).toBeNull()
  expect(await response.text()).toContain('"reason":"INTERNAL"')
})

test('an upload that finds no free file descriptor can be repeated', async () => {
  await using t = await startTestApp()
  const noDescriptor = Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' })
  vi.spyOn(t.ctx.blobs, 'stage').mockRejectedValueOnce(noDescriptor)
  const upload = () =>
    t.client.call('createTopic', { name: 'Lunch', created_by: 1 }, { files: [new File([], 'a.txt')] })
  expect(await make.codeOf(upload())).toBe(5030)
  expect(await make.codeOf(upload())).toBe(1000)
})

describe('an invalid path', () => {
  const app = setUpSharedApp()

  test.each(['/api/newsfeeds/topics/404/details', '/api/nothing', '/api/newsfeeds/topics/%zz/1', '/nothing'])(
    '%s gets a failure that must not be cached',
    async (path) => {
      expect(Object.fromEntries((await fetch(app().url + path)).headers)).toMatchObject(failureHeaders)
    },
  )

  test.each(['../package.json', '..%2fpackage.json', '%2e%2e/package.json', '%00', 'package.json', '.hidden'])(
    '/docs/assets/%s is not found',
    async (path) => {
      expect(await statusOf(app(), `/docs/assets/${path}`)).toBe(404)
    },
  )
})

/** Unlike `fetch`, this does not resolve dots in the path. */
const statusOf = (t: TestApp, path: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    const { hostname, port } = new URL(t.url)
    get({ hostname, port, path }, (response) => resolve(response.resume().statusCode)).on('error', reject)
  })

test('the metrics count a request that the router refuses', async () => {
  await using t = await startTestApp()
  expect(await make.send(t, 'GET', '/api/newsfeeds/topics/%zz/1')).toMatchObject({ response_code: 4000 })
  const metrics = await (await fetch(`${t.url}/metrics`)).text()
  expect(metrics).toContain('summit_responses_total{operation="other",response_code="4000"} 1\n')
})
