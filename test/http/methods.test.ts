import { expect, test } from 'vitest'
import * as make from '../make.ts'
import { codeOf, createPath, expectAlive, listPath, requestText, sendRaw, setUpSharedRawApp } from './raw-requests.ts'

const app = setUpSharedRawApp()

test.each([
  ['GET', listPath, 1000],
  ['OPTIONS', listPath, 4050],
  ['PATCH', listPath, 4050],
  ['TRACE', listPath, 4050],
  ['OPTIONS', '/api/nothing', 4041],
  ['PROPFIND', listPath, 4050],
  ['PATCH', '/%61pi/newsfeeds/topics/%63reate', 4050],
  ['PATCH', `/${listPath}`, 4050],
  ['MKCOL', createPath, 4050],
  ['PURGE', '/api/newsfeeds/topics/1/details/', 4050],
  ['PROPFIND', '/api/nothing', 4041],
  ['QUERY', listPath, 4050],
  ['QUERY', '/api/nothing', 4041],
  ['GET', `${createPath}#x`, 4050],
  ['PUT', `${listPath}#x/y`, 4050],
  ['PUT', `${listPath}/#`, 4050],
])('%s %s: %i', async (method, path, code) => {
  expect(codeOf(await sendRaw(app(), requestText(method, path)))).toBe(code)
})

test('the query of a URL without a path is no path', async () => {
  const { status } = make.only(await sendRaw(app(), requestText('PUT', `http://h.test?x${listPath}`)))
  expect(status).toBe(404)
})

test.each([listPath, createPath, '/api/nothing', '/api/newsfeeds/topics/x/details', '/api/program/banner/get/1'])(
  'the response to HEAD %s has only headers',
  async (path) => {
    const { status, headers, body } = make.only(await sendRaw(app(), requestText('HEAD', path)))
    expect({ status, body }).toEqual({ status: 200, body: '' })
    expect(Number(/^content-length: (\d+)$/im.exec(headers)?.[1])).toBeGreaterThan(100)
  },
)

test.each(['evil.example:443', listPath])('CONNECT %s ends the connection', async (target) => {
  expect(await sendRaw(app(), `CONNECT ${target} HTTP/1.1\r\nHost: evil.example\r\n\r\n`)).toEqual([])
  await expectAlive(app())
})

test('DELETE accepts a JSON content type with an empty body', async () => {
  const headers = ['Content-Type: application/json', 'Content-Length: 0']
  expect(codeOf(await sendRaw(app(), requestText('DELETE', '/api/newsfeeds/topics/1/delete', headers)))).toBe(2000)
})
