import { describe, expect, test } from 'vitest'
import * as make from '../make.ts'
import { codeOf, expectAlive, listPath, requestText, sendRaw, setUpSharedRawApp } from './raw-requests.ts'

const app = setUpSharedRawApp()

describe('a path', () => {
  test.each([
    ['that cannot be decoded', '/api/newsfeeds/topics/%zz/details', 4000],
    ['that ends in the middle of an escape', '/api/newsfeeds/topics/1/10%', 4000],
    ['that is not UTF-8', '/api/newsfeeds/topics/%ff/details', 4000],
    ['with an overlong slash', '/api/newsfeeds/topics/%c0%af/details', 4000],
    ['with NUL', '/api/newsfeeds/topics/%00/details', 4220],
    ['with an escaped slash', '/api/newsfeeds/topics/1%2f2/details', 4220],
    ['with 10,000 letters', `/api/newsfeeds/topics/${'x'.repeat(10_000)}/details`, 4220],
    ['with 10,000 digits', `/api/newsfeeds/topics/0/${'9'.repeat(10_000)}`, 4220],
    ['with a file name of 10,000 letters', `/api/newsfeeds/files/1/${'x'.repeat(10_000)}`, 4040],
    ['with 5,000 segments', `/api${'/a'.repeat(5_000)}`, 4041],
    ['without an operation', '/api', 4041],
    ['with dots', '/api/../api/newsfeeds/topics/0/10', 4041],
    ['with two slashes', '/api//newsfeeds/topics/0/10', 1000],
    ['after a base URL that ends in a slash', '//api/newsfeeds/topics/0/10', 1000],
    ['after a base URL that ends in a slash, and invalid', '//api/newsfeeds/topics/x/10', 4220],
    ['after a base URL that ends in a slash, and unknown', '//api/nothing', 4041],
    ['with escaped letters', '/%61pi/newsfeeds/topics/x/10', 4220],
    ['with escaped letters, and unknown', '/%61pi/nothing', 4041],
    ['with a number of 10,000 zeros', `/api/newsfeeds/topics/${'0'.repeat(10_000)}/10`, 1000],
    ['with an id after 30 zeros', `/api/newsfeeds/topics/${'0'.repeat(30)}1/details`, 1000],
    ['in an absolute URL', 'http://a/api/newsfeeds/topics/0/10', 1000],
    ['in an absolute URL, and invalid', 'http://a/api/newsfeeds/topics/x/10', 4220],
    ['in an absolute URL, and unknown', 'HTTP://a/api/nothing', 4041],
    ['with a query that cannot be decoded', `${listPath}?x=%zz&__proto__[x]=1`, 1000],
    ['with a query of 10,000 letters', `${listPath}?${'x'.repeat(10_000)}`, 1000],
  ])('%s', async (_, path, code) => {
    expect(codeOf(await sendRaw(app(), requestText('GET', path)))).toBe(code)
    await expectAlive(app())
  })
})

test.each(['/apifoo', '/api-docs', '//apifoo', '/%61pifoo'])('%s is not under /api: 404', async (path) => {
  const { status, headers } = make.only(await sendRaw(app(), requestText('GET', path)))
  expect(status).toBe(404)
  expect(headers).toMatch(/^content-type: application\/problem\+json/im)
})

test('a Host is not part of the path, though together they spell a known one', async () => {
  const get = (path: string, host: string) => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
  expect(codeOf(await sendRaw(app(), get(listPath, 'a')))).toBe(1000)
  const [response] = await sendRaw(app(), get(listPath.slice('/api'.length), 'a/api'))
  expect(response?.status).toBe(404)
})
