import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { createTestStorage, startTestApp, startTestAppOn } from '../../../../test/app.ts'
import * as make from '../../../../test/make.ts'
import { setUpSharedApp } from '../../../../test/shared-app.ts'
import { failureAt, get, store } from './serving.fixtures.ts'

const picture = (format: 'png' | 'jpeg' | 'gif' | 'webp') =>
  sharp({ create: { width: 8, height: 8, channels: 3, background: '#b34' } })
    .toFormat(format)
    .toBuffer()

describe('a stored file', () => {
  const app = setUpSharedApp()

  test('is served byte for byte, cacheable forever, and sandboxed', async () => {
    const t = app()
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * 7919) % 251))
    const { status, headers, bytes: served } = await get(t, await store(t, 'a.bin', '', bytes))
    expect(served.equals(bytes)).toBe(true)
    expect(status).toBe(200)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': '300000',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
      'accept-ranges': 'bytes',
      vary: 'Accept',
      etag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
    })
  })

  test.each(['png', 'jpeg', 'gif', 'webp'] as const)('that is a plain image (%s) is served inline', async (format) => {
    const t = app()
    const bytes = await picture(format)
    const { headers, bytes: served } = await get(t, await store(t, 'wrong.txt', 'text/plain', bytes))
    expect(served).toEqual(bytes)
    expect(headers.get('content-type')).toBe(`image/${format}`)
    expect(headers.get('content-disposition')).toBeNull()
  })

  test.each([
    ['page.html', 'text/html', '<script>alert(1)</script>', 'text/html'],
    ['image.svg', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', ''],
    ['image.svg', 'image/svg+xml', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', ''],
    ['paper.pdf', 'application/pdf', '%PDF-1.7\n', 'application/pdf'],
    [
      'slides.ppt',
      'application/vnd.ms-powerpoint',
      '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1',
      'application/vnd.ms-powerpoint',
    ],
    ['archive.html', 'text/html', 'PK\x03\x04\x14\0\0\0\0\0', 'application/zip'],
    ['program.js', 'text/javascript', 'alert(1)', 'text/plain'],
    ['old.js', 'Text/JavaScript1.5; charset=utf-8', 'alert(1)', 'text/plain'],
    ['older.js', 'text/x-ecmascript', 'alert(1)', 'text/plain'],
    ['script.css', 'text/css', '*{}', 'text/css'],
    ['unknown', '', 'some bytes', 'application/octet-stream'],
  ])('that may contain a script (%s as %s) is served as an attachment', async (name, declared, text, fileType) => {
    const t = app()
    const { headers } = await get(t, await store(t, name, declared, Buffer.from(text, 'latin1')))
    const ascii = name.replace(/[^ -~]/g, '_')
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${ascii}"; filename*=UTF-8''${name}`)
    expect(headers.get('content-type')).not.toMatch(/^image\//)
    if (fileType !== '') expect(headers.get('content-type')).toBe(fileType)
  })

  test.each([
    ['Grüße 🍲.txt', 'Gr__e __.txt', 'Gr%C3%BC%C3%9Fe%20%F0%9F%8D%B2.txt'],
    ["it's (100%) 5;6,7.txt", "it's (100_) 5;6,7.txt", 'it%27s%20%28100%25%29%205%3B6%2C7.txt'],
  ])('has its name in Content-Disposition: %s', async (name, ascii, encoded) => {
    const t = app()
    const path = await store(t, name, 'text/plain', Buffer.from('x'))
    const { headers } = await get(t, path)
    expect(decodeURIComponent(path.split('/').at(-1) ?? '')).toBe(name)
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`)
  })

  test('is found by its id alone: any name in the URL is accepted', async () => {
    await using t = await startTestApp()
    await store(t, 'a.txt', 'text/plain', Buffer.from('Hello'))
    for (const name of ['a.txt', 'b.html', '..%2F..%2Fsummit.db', '%00', 'delete', 'x'.repeat(2_000)])
      expect((await get(t, `/api/newsfeeds/files/1/${name}`)).bytes.toString()).toBe('Hello')
  })

  test('that is empty is served with length 0', async () => {
    await using t = await startTestApp()
    const form = new FormData()
    form.append('name', 'x')
    form.append('created_by', '1')
    form.append('uploaded_files', new File([], 'empty.txt', { type: 'text/plain' }))
    await make.send(t, 'POST', '/api/newsfeeds/topics/create', form)
    const { status, headers, bytes } = await get(t, '/api/newsfeeds/files/1/empty.txt')
    expect([status, headers.get('content-length'), bytes.length]).toEqual([200, '0', 0])
  })

  test('is served with the same ETag after a restart', async () => {
    await using storage = await createTestStorage()
    let etag: string | null
    {
      await using t = await startTestAppOn(storage)
      etag = (await get(t, await store(t, 'a.txt', 'text/plain', Buffer.from('Hello')))).headers.get('etag')
      const other = await get(t, await store(t, 'a.txt', 'text/plain', Buffer.from('Hallo')))
      expect(other.headers.get('etag')).not.toBe(etag)
    }
    await using t = await startTestAppOn(storage)
    const { headers, bytes } = await get(t, '/api/newsfeeds/files/1/a.txt')
    expect([bytes.toString(), headers.get('etag')]).toEqual(['Hello', etag])
  })
})

test('HEAD returns the headers of GET and no bytes', async () => {
  await using t = await startTestApp()
  const path = await store(t, 'a.txt', 'text/plain', Buffer.from('0123456789'))
  const [head, got] = [await get(t, path, {}, 'HEAD'), await get(t, path)]
  expect([head.status, head.bytes.length]).toEqual([200, 0])
  const fileHeaders = ({ headers }: typeof got) =>
    Object.fromEntries(
      [...headers].filter(([name]) => !['request-id', 'date', 'connection', 'keep-alive'].includes(name)),
    )
  expect(fileHeaders(head)).toEqual(fileHeaders(got))
  expect(head.headers.get('content-length')).toBe('10')
})

test('an external link is not served, but can be deleted', async () => {
  await using t = await startTestApp()
  await make.topic(t, { uploaded_files: ['https://cdn.summit.example/slides.pdf'] })
  expect(await failureAt(t, '/api/newsfeeds/files/1/slides.pdf')).toBe(4040)
  expect(await t.client.deleteFile({ file_Id: 1 })).toEqual({ message: 'Deleted File Id: 1' })
})

describe('an invalid file URL', () => {
  const app = setUpSharedApp()

  test.each([
    ['/api/newsfeeds/files/9/a.txt', 4040],
    ['/api/newsfeeds/files/0/a.txt', 4220],
    ['/api/newsfeeds/files/one/a.txt', 4220],
    ['/api/newsfeeds/files/1', 4041],
  ])('%s returns an envelope with code %i', async (path, code) => {
    expect(await failureAt(app(), path)).toBe(code)
  })
})
