import { rm } from 'node:fs/promises'
import { get } from 'node:http'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { type TestApp, testApp } from './app.ts'
import * as make from './make.ts'

/** How an answer that is none may be used: not at all. */
const ofFailure = { 'cache-control': 'no-store', vary: 'Accept' }
const ofFile = ['etag', 'content-disposition', 'accept-ranges', 'content-range', 'content-security-policy']

test.each([
  ['the envelope', {}, 200],
  ['RFC 9457', { accept: 'application/problem+json' }, 500],
  ['the envelope of a range', { range: 'bytes=1-2' }, 200],
])(
  'a file whose bytes cannot be opened is answered with %s, which says nothing of the file',
  async (_, headers, status) => {
    await using t = await testApp()
    const data = Buffer.from('Hello').toString('base64')
    const { content } = await make.topic(t, { uploaded_files: [{ name: 'a.txt', data }] })
    await rm(join(t.dataDir, 'blobs', 'kept'), { recursive: true })

    const response = await fetch(make.only(content.uploaded_files).link, { headers })

    expect(response.status).toBe(status)
    expect(Object.fromEntries(response.headers)).toMatchObject(ofFailure)
    for (const header of ofFile) expect(response.headers.get(header), header).toBeNull()
    expect(await response.text()).toContain('"reason":"INTERNAL"')
  },
)

test('an upload for which the process may open no file more is to be sent again', async () => {
  await using t = await testApp()
  const refused = Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' })
  vi.spyOn(t.ctx.blobs, 'stage').mockRejectedValueOnce(refused)
  const upload = () =>
    t.client.call('createTopic', { name: 'Lunch', created_by: 1 }, { files: [new File([], 'a.txt')] })
  expect(await make.codeOf(upload())).toBe(5030)
  expect(await make.codeOf(upload())).toBe(1000)
})

test.each(['/api/newsfeeds/topics/404/details', '/api/nothing', '/api/newsfeeds/topics/%zz/1', '/nothing'])(
  'the failure at %s is not to be kept',
  async (path) => {
    await using t = await testApp()
    expect(Object.fromEntries((await fetch(t.url + path)).headers)).toMatchObject(ofFailure)
  },
)

/** Unlike `fetch`, this leaves the dots in an address. */
const statusAt = (t: TestApp, path: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    const { hostname, port } = new URL(t.url)
    get({ hostname, port, path }, (response) => resolve(response.resume().statusCode)).on('error', reject)
  })

test.each(['../package.json', '..%2fpackage.json', '%2e%2e/package.json', '%00', 'package.json', '.hidden'])(
  'at /docs/assets/%s there is nothing',
  async (path) => {
    await using t = await testApp()
    expect(await statusAt(t, `/docs/assets/${path}`)).toBe(404)
  },
)

/** The lines of `/metrics` that count answers. */
const counted = async (t: TestApp) =>
  (await (await fetch(`${t.url}/metrics`)).text())
    .split('\n')
    .filter((line) => line.startsWith('summit_answers_total{'))

test('a request that the router refuses is counted like any other', async () => {
  await using t = await testApp()
  expect(await make.send(t, 'GET', '/api/newsfeeds/topics/%zz/1')).toMatchObject({ response_code: 4000 })
  expect(await counted(t)).toContain('summit_answers_total{operation="other",response_code="4000"} 1')
})
