import { describe, expect, test } from 'vitest'
import { setUpSharedApp } from '../../../../test/shared-app.ts'
import { get, store } from './serving.fixtures.ts'

describe('a client that already has the file', () => {
  const app = setUpSharedApp()

  test.each([
    ['the same tag', 304, (etag: string) => etag],
    ['the same tag as a weak one', 304, (etag: string) => `W/${etag}`],
    ['the same tag among others', 304, (etag: string) => `"other", ${etag}`],
    ['any tag', 304, () => '*'],
    ['another tag', 200, () => '"other"'],
    ['a tag without quotes', 200, (etag: string) => etag.replaceAll('"', '')],
  ])('sends If-None-Match with %s and receives %i', async (_, status, ifNoneMatch) => {
    const t = app()
    const path = await store(t, 'a.txt', 'text/plain', Buffer.from('Hello'))
    const etag = (await get(t, path)).headers.get('etag') ?? ''
    const response = await get(t, path, { 'if-none-match': ifNoneMatch(etag) })
    expect(response.status).toBe(status)
    expect(response.bytes.toString()).toBe(status === 304 ? '' : 'Hello')
    expect(response.headers.get('etag')).toBe(etag)
    expect(response.headers.get('cache-control')).toContain('immutable')
  })
})

describe('a request with Range', () => {
  const app = setUpSharedApp()

  test.each([
    ['the first bytes', 'bytes=0-3', 'bytes 0-3/10', '0123'],
    ['bytes in the middle', 'bytes=4-6', 'bytes 4-6/10', '456'],
    ['the last bytes', 'bytes=-3', 'bytes 7-9/10', '789'],
    ['all bytes from an offset', 'bytes=7-', 'bytes 7-9/10', '789'],
    ['a range beyond the end', 'bytes=8-99', 'bytes 8-9/10', '89'],
  ])('for %s returns 206', async (_, range, contentRange, text) => {
    const t = app()
    const { status, headers, bytes } = await get(t, await store(t, 'a.txt', '', Buffer.from('0123456789')), { range })
    expect([status, bytes.toString()]).toEqual([206, text])
    expect(headers.get('content-range')).toBe(contentRange)
    expect(headers.get('content-length')).toBe(String(text.length))
  })

  test.each(['bytes=10-', 'bytes=10-12', 'bytes=-0'])(
    'for bytes beyond the end (%s) returns 416 with the size',
    async (range) => {
      const t = app()
      const { status, headers, bytes } = await get(t, await store(t, 'a.txt', '', Buffer.from('0123456789')), { range })
      expect([status, bytes.length]).toEqual([416, 0])
      expect(headers.get('content-range')).toBe('bytes */10')
      // The file is cacheable forever, this response is not.
      expect(headers.get('cache-control')).toBe('no-store')
    },
  )

  test.each(['bytes=0-1,4-5', 'bytes=3-1', 'lines=0-1', 'bytes=a-b', 'bytes', ''])(
    'of an unsupported form (%j) returns the whole file',
    async (range) => {
      const t = app()
      const { status, headers, bytes } = await get(t, await store(t, 'a.txt', '', Buffer.from('0123456789')), { range })
      expect([status, bytes.toString()]).toEqual([200, '0123456789'])
      expect(headers.get('content-range')).toBeNull()
    },
  )

  test('for more last bytes than the file has returns the whole file', async () => {
    const t = app()
    const path = await store(t, 'a.txt', '', Buffer.from('0123456789'))
    expect((await get(t, path, { range: 'bytes=-99' })).bytes.toString()).toBe('0123456789')
  })

  test('and HEAD returns the headers of the whole file', async () => {
    const t = app()
    const path = await store(t, 'a.txt', '', Buffer.from('0123456789'))
    const { status, headers } = await fetch(t.url + path, { method: 'HEAD', headers: { range: 'bytes=2-3' } })
    expect([status, headers.get('content-length')]).toEqual([200, '10'])
  })

  test('and If-Range returns the range if the file is unchanged, otherwise the whole file', async () => {
    const t = app()
    const path = await store(t, 'a.txt', '', Buffer.from('0123456789'))
    const etag = (await get(t, path)).headers.get('etag') ?? ''
    const resume = async (ifRange: string) => (await get(t, path, { range: 'bytes=8-', 'if-range': ifRange })).bytes
    expect((await resume(etag)).toString()).toBe('89')
    expect((await resume('"other"')).toString()).toBe('0123456789')
    // If-Range uses strong comparison (RFC 9110, 13.1.5), and responses have no Last-Modified.
    expect((await resume(`W/${etag}`)).toString()).toBe('0123456789')
    expect((await resume('Wed, 01 May 2030 09:00:00 GMT')).toString()).toBe('0123456789')
  })

  test('and the ETag in If-None-Match returns 304', async () => {
    const t = app()
    const path = await store(t, 'a.txt', '', Buffer.from('0123456789'))
    const etag = (await get(t, path)).headers.get('etag') ?? ''
    expect((await get(t, path, { range: 'bytes=0-3', 'if-none-match': etag })).status).toBe(304)
  })
})
