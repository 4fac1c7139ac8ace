import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import * as make from '../../../../test/make.ts'
import { normalizeResponse, sendRawRequests } from '../../../../test/send-raw-requests.ts'

const app = 'https://localhost'
const devServer = 'http://localhost:5173'
const stranger = 'https://evil.example'

const list = '/api/newsfeeds/topics/0/10'
const create = '/api/newsfeeds/topics/create'
const file = '/api/newsfeeds/files/1/a.txt'

const send = (t: TestApp, method: string, path: string, headers: string[] = [], body = ''): Promise<string> =>
  sendRawRequests(
    t,
    [`${method} ${path} HTTP/1.1`, 'Host: a', `Content-Length: ${body.length}`, ...headers, '', body].join('\r\n'),
  )

/** The values of a header, one for each time that it is sent. */
const valuesOf = (response: string, name: string): string[] =>
  [...(response.split('\r\n\r\n', 1)[0] ?? '').matchAll(new RegExp(`^${name}: (.*)\r$`, 'gim'))].map(
    ([, value = '']) => value,
  )

async function appWithFile(settings: Record<string, string> = {}): Promise<TestApp> {
  const t = await startTestApp(settings)
  await make.topic(t, { uploaded_files: [{ name: 'a.txt', data: 'SGVsbG8=' }] })
  await make.event(t, {})
  return t
}

const responses: [name: string, method: string, path: string, headers?: string[]][] = [
  ['a page', 'GET', list],
  ['a cached page', 'GET', list],
  ['the head of a page', 'HEAD', list],
  ['a record that does not exist', 'GET', '/api/newsfeeds/topics/404/details'],
  ['a path that cannot be decoded', 'GET', '/api/%'],
  ['a problem', 'GET', '/api/nothing', ['Accept: application/problem+json']],
  ['an invalid Host', 'GET', list, ['Host: b']],
  ['a file', 'GET', file],
  ['a part of a file', 'GET', file, ['Range: bytes=0-1']],
  ['a range beyond a file', 'GET', file, ['Range: bytes=9-']],
  ['a file that has not changed', 'GET', file, ['If-None-Match: *']],
  ['an image', 'GET', '/api/program/banner/get/1'],
  ['a method that is not allowed', 'PATCH', list],
  ['the OpenAPI document', 'GET', '/openapi.json'],
]

describe('with CORS_ORIGINS', () => {
  let t: TestApp
  beforeAll(async () => {
    t = await appWithFile({ CORS_ORIGINS: `${app}, ${devServer}` })
  })
  afterAll(() => t[Symbol.asyncDispose]())

  test.each(responses)('a page of a listed origin may read %s', async (_, method, path, headers = []) => {
    for (const origin of [app, devServer]) {
      const response = await send(t, method, path, [...headers, `Origin: ${origin}`, 'Sec-Fetch-Site: cross-site'])
      expect(valuesOf(response, 'access-control-allow-origin')).toEqual([origin])
      expect(valuesOf(response, 'access-control-expose-headers')).toEqual([expect.stringContaining('Request-Id')])
      expect(valuesOf(response, 'vary')).toEqual([path === '/openapi.json' ? 'Origin' : 'Accept, Origin'])
    }
  })

  test.each(responses)('other clients get %s with the same bytes, for which nothing is permitted', async (...args) => {
    const [, method, path, headers = []] = args
    const bodyOf = (response: string) => response.slice(response.indexOf('\r\n\r\n'))
    const allowed = await send(t, method, path, [...headers, `Origin: ${app}`])
    for (const other of [[], [`Origin: ${stranger}`], ['Origin: null'], [`Origin: ${app}.evil.example`]]) {
      const response = await send(t, method, path, [...headers, ...other])
      expect(response).not.toMatch(/^access-control-/im)
      expect(valuesOf(response, 'vary')).toEqual(valuesOf(allowed, 'vary'))
      expect(normalizeResponse(bodyOf(response))).toBe(normalizeResponse(bodyOf(allowed)))
    }
  })

  const body = '{"name":"Lunch","created_by":1}'
  const write = (origin: string) =>
    send(t, 'POST', create, ['Content-Type: application/json', `Origin: ${origin}`, 'Sec-Fetch-Site: cross-site'], body)

  test('a page of a listed origin may write, and a page of another origin may not', async () => {
    const written = await write(app)
    expect(written).toContain('[{"response_code":1000,')
    expect(valuesOf(written, 'access-control-allow-origin')).toEqual([app])
    expect(await write(stranger)).toContain('[{"response_code":4030,')
    expect(await write('http://localhost')).toContain('[{"response_code":4030,')
  })

  const preflight = (path: string, origin: string, method: string) =>
    send(t, 'OPTIONS', path, [
      `Origin: ${origin}`,
      `Access-Control-Request-Method: ${method}`,
      'Access-Control-Request-Headers: content-type,idempotency-key',
    ])

  test.each([
    [create, 'POST'],
    ['/api/newsfeeds/topics/1/update', 'PUT'],
    ['/api/newsfeeds/topics/1/delete', 'DELETE'],
    [list, 'GET, HEAD'],
    [file, 'GET, HEAD'],
  ])('a preflight of a listed origin for %s is told %s', async (path, methods) => {
    const response = await preflight(path, devServer, methods)
    // A browser demands a status from 200 to 299, and reads nothing of the body.
    expect(response).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(valuesOf(response, 'allow')).toEqual([methods])
    expect(valuesOf(response, 'access-control-allow-origin')).toEqual([devServer])
    expect(valuesOf(response, 'access-control-allow-methods')).toEqual([methods])
    expect(valuesOf(response, 'access-control-allow-headers')).toEqual([
      'Content-Type, Idempotency-Key, If-None-Match, If-Range, Range',
    ])
    expect(valuesOf(response, 'access-control-max-age')).toEqual(['7200'])
  })

  test('a preflight of another origin is permitted nothing', async () => {
    expect(await preflight(create, stranger, 'POST')).not.toMatch(/^access-control-/im)
  })
})

test.each(responses)(
  'without the setting, an Origin changes nothing about %s',
  async (_, method, path, headers = []) => {
    await using t = await appWithFile()
    const plain = await send(t, method, path, headers)
    expect(normalizeResponse(await send(t, method, path, [...headers, `Origin: ${app}`]))).toBe(
      normalizeResponse(plain),
    )
    expect(plain).not.toMatch(/^(access-control-|vary: .*origin)/im)
  },
)
