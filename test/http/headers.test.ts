import { describe, expect, test } from 'vitest'
import * as make from '../make.ts'
import { codeOf, expectAlive, listPath, requestText, sendRaw, setUpSharedRawApp } from './raw-requests.ts'

const app = setUpSharedRawApp()

const get = (...headers: string[]) => [`GET ${listPath} HTTP/1.1`, 'Connection: close', ...headers, '', ''].join('\r\n')

describe('a request with', () => {
  test.each([
    ['no Host', [], 4000],
    ['two Hosts', ['Host: a', 'Host: b'], 4000],
    ['the same Host twice', ['Host: a', 'host: a'], 4000],
    ['an empty Host', ['Host:'], 4000],
    ['a Host with port 65536', ['Host: a:65536'], 4000],
    ['a Host with port 65535', ['Host: a:65535'], 1000],
    ['a Host with a path', ['Host: evil/../x'], 4000],
    ['a Host with a user', ['Host: user@evil'], 4000],
    ['a Host with a space', ['Host: a b'], 4000],
    ['a Host of HTML', ['Host: "><script>'], 4000],
    ['a Host of 10,000 letters', [`Host: ${'a'.repeat(10_000)}`], 4000],
    ['an unknown Expect', ['Host: a', 'Expect: the-unexpected'], 4000],
    ['500 media types in Accept', ['Host: a', `Accept: ${'application/problem+json;q=0,'.repeat(500)}`], 1000],
    ['a Cookie of 10,000 letters', ['Host: a', `Cookie: ${'a=b; '.repeat(2_000)}`], 1000],
    ['an upgrade to another protocol', ['Host: a', 'Upgrade: h2c, websocket', 'HTTP2-Settings: AAMAAABk'], 1000],
    ['bytes that are not ASCII', ['Host: a', 'X: Grüße', 'Accept: ÿ'], 1000],
    ['a Range', ['Host: a', 'Range: bytes=0-1'], 1000],
    ['a meaningless Content-Type and no body', ['Host: a', 'Content-Type: ;;;'], 1000],
  ])('%s', async (_, headers, code) => {
    expect(codeOf(await sendRaw(app(), get(...headers)))).toBe(code)
    await expectAlive(app())
  })
})

test('a body of two types is refused, as it could be read as either', async () => {
  const body = 'name=T&created_by=1'
  const types = ['Content-Type: application/x-www-form-urlencoded', 'Content-Type: application/json']
  const headers = [...types, `Content-Length: ${body.length}`]
  expect(codeOf(await sendRaw(app(), requestText('POST', '/api/newsfeeds/topics/create', headers) + body))).toBe(4150)
})

test('outside of the interface, an unknown Expect is ignored', async () => {
  const [response] = await sendRaw(
    app(),
    'GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: more\r\nConnection: close\r\n\r\n',
  )
  expect(response?.status).toBe(200)
})

test('an unknown path is reported before an unknown Expect', async () => {
  const request = requestText('POST', '/api/nothing', ['Expect: the-unexpected'])
  expect(codeOf(await sendRaw(app(), request))).toBe(4041)
})

test.each([
  ['one header is too long', [`X: ${'x'.repeat(20_000)}`]],
  ['all headers together are too long', Array.from({ length: 3_000 }, () => 'X: y')],
])('if %s, the response is 431 and the connection ends', async (_, headers) => {
  expect(make.only(await sendRaw(app(), get('Host: a', ...headers)))).toMatchObject({ status: 431, body: '' })
  await expectAlive(app())
})

test('HTTP/1.0 needs a Host as well', async () => {
  expect(codeOf(await sendRaw(app(), `GET ${listPath} HTTP/1.0\r\nHost: a\r\n\r\n`))).toBe(1000)
  expect(codeOf(await sendRaw(app(), `GET ${listPath} HTTP/1.0\r\n\r\n`))).toBe(4000)
})
