import { stat } from 'node:fs/promises'
import { request } from 'node:http'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { type TestApp, testApp, testAppIn, testPlace } from '../../../test/app.ts'
import * as make from '../../../test/make.ts'
import { sharedApp } from '../../../test/shared-app.ts'

const picture = (format: 'png' | 'jpeg' | 'gif' | 'webp') =>
  sharp({ create: { width: 8, height: 8, channels: 3, background: '#b34' } })
    .toFormat(format)
    .toBuffer()

/** Attaches a file to a new topic. @returns the path of its link */
async function store(t: TestApp, name: string, fileType: string, bytes: Buffer): Promise<string> {
  const data = bytes.toString('base64')
  const { content } = await make.topic(t, { uploaded_files: [{ name, fileType, data }] })
  return new URL(make.only(content.uploaded_files).link).pathname
}

async function get(t: TestApp, path: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await fetch(t.url + path, { method, headers })
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

const failureAt = async (t: TestApp, path: string) => (await make.send(t, 'GET', path)).response_code

describe('a stored file', () => {
  const app = sharedApp()

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
    ['program.js', 'text/javascript', 'alert(1)', 'text/plain'],
    ['old.js', 'Text/JavaScript1.5; charset=utf-8', 'alert(1)', 'text/plain'],
    ['older.js', 'text/x-ecmascript', 'alert(1)', 'text/plain'],
    ['script.css', 'text/css', '*{}', 'text/css'],
    ['unknown', '', 'who knows', 'application/octet-stream'],
  ])('that may contain a script (%s as %s) is served as an attachment', async (name, declared, text, fileType) => {
    const t = app()
    const { headers } = await get(t, await store(t, name, declared, Buffer.from(text)))
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
    await using t = await testApp()
    await store(t, 'a.txt', 'text/plain', Buffer.from('Hello'))
    for (const name of ['a.txt', 'b.html', '..%2F..%2Fsummit.db', '%00', 'delete', 'x'.repeat(2_000)])
      expect((await get(t, `/api/newsfeeds/files/1/${name}`)).bytes.toString()).toBe('Hello')
  })

  test('that is empty is served with length 0', async () => {
    await using t = await testApp()
    const form = new FormData()
    form.append('name', 'x')
    form.append('created_by', '1')
    form.append('uploaded_files', new File([], 'empty.txt', { type: 'text/plain' }))
    await make.send(t, 'POST', '/api/newsfeeds/topics/create', form)
    const { status, headers, bytes } = await get(t, '/api/newsfeeds/files/1/empty.txt')
    expect([status, headers.get('content-length'), bytes.length]).toEqual([200, '0', 0])
  })

  test('is still there, with the same ETag, after a restart', async () => {
    await using place = await testPlace()
    let etag: string | null
    {
      await using t = await testAppIn(place)
      etag = (await get(t, await store(t, 'a.txt', 'text/plain', Buffer.from('Hello')))).headers.get('etag')
      const other = await get(t, await store(t, 'a.txt', 'text/plain', Buffer.from('Hallo')))
      expect(other.headers.get('etag')).not.toBe(etag)
    }
    await using t = await testAppIn(place)
    const { headers, bytes } = await get(t, '/api/newsfeeds/files/1/a.txt')
    expect([bytes.toString(), headers.get('etag')]).toEqual(['Hello', etag])
  })
})

describe('a client that already has the file', () => {
  const app = sharedApp()

  test.each([
    ['the same tag', (etag: string) => etag, 304],
    ['the same tag as a weak one', (etag: string) => `W/${etag}`, 304],
    ['the same tag among others', (etag: string) => `"other", ${etag}`, 304],
    ['any tag', () => '*', 304],
    ['another tag', () => '"other"', 200],
    ['a tag without quotes', (etag: string) => etag.replaceAll('"', ''), 200],
  ])('sends If-None-Match with %s and receives %i', async (_, ifNoneMatch, status) => {
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
  const app = sharedApp()

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

test('HEAD returns the headers of GET and no bytes', async () => {
  await using t = await testApp()
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

describe('a deleted file', () => {
  const path = '/api/newsfeeds/files/1/a.txt'
  const bytes = { name: 'a.txt', fileType: 'text/plain', data: 'SGVsbG8=' }

  test('is neither served nor listed and cannot be deleted again; its bytes stay for a restore', async () => {
    await using t = await testApp()
    await make.topic(t, { uploaded_files: [bytes, 'https://cdn.summit.example/slides.pdf'] })
    t.advance(1_000)

    const { envelope } = await t.client.call('deleteFile', { file_Id: 1 })

    expect(envelope).toMatchObject({
      response_code: 2000,
      data: { message: 'Deleted File Id: 1' },
      system: { message: 'Redirected', redirect_url: 1002 },
    })
    expect(await failureAt(t, path)).toBe(4040)
    expect((await t.client.call('deleteFile', { file_Id: 1 })).envelope).toMatchObject({
      response_code: 4040,
      data: { reason: 'FILE_NOT_FOUND' },
    })
    const [topic] = (await t.client.getTopic({ topic_id: 1 })).NewsFeed
    expect(topic?.content.uploaded_files.map(({ id }) => id)).toEqual(['2'])
    const row = await t.ctx.database.read.selectFrom('file').selectAll().orderBy('id').executeTakeFirst()
    expect(row).toMatchObject({ is_deleted: 1, deleted_at: t.ctx.clock() })
    expect(await make.blobs(t)).toHaveLength(1)
  })

  test('is neither served nor deletable if its topic was deleted', async () => {
    await using t = await testApp()
    await make.topic(t, { uploaded_files: [bytes] })
    await t.client.deleteTopic({ topic_id: 1 })
    expect(await failureAt(t, path)).toBe(4040)
    expect(await make.codeOf(t.client.call('deleteFile', { file_Id: 1 }))).toBe(4040)
  })

  test.each(['deleteComment', 'deleteTopic'] as const)(
    'is neither served nor deletable if its comment was deleted by %s',
    async (operation) => {
      await using t = await testApp()
      await make.topic(t)
      const { uploaded_files } = await make.comment(t, { topic_id: 1, uploaded_files: [bytes] })
      expect((await get(t, new URL(make.only(uploaded_files).link).pathname)).bytes.toString()).toBe('Hello')
      await t.client.call(operation, { comment_id: 1, topic_id: 1 })
      expect(await failureAt(t, path)).toBe(4040)
      expect(await make.codeOf(t.client.call('deleteFile', { file_Id: 1 }))).toBe(4040)
    },
  )

  test('has a row in the change log, under its topic', async () => {
    await using t = await testApp()
    await make.topic(t)
    await make.topic(t)
    await make.comment(t, { topic_id: 2, uploaded_files: [bytes] })
    await t.client.deleteFile({ file_Id: 1 })
    const log = await t.ctx.database.read
      .selectFrom('change')
      .select(['record_id', 'parent_id'])
      .where('kind', '=', 'file.deleted')
      .execute()
    expect(log).toEqual([{ record_id: 1, parent_id: 2 }])
  })
})

test('an external link is not served, but can be deleted', async () => {
  await using t = await testApp()
  await make.topic(t, { uploaded_files: ['https://cdn.summit.example/slides.pdf'] })
  expect(await failureAt(t, '/api/newsfeeds/files/1/slides.pdf')).toBe(4040)
  expect(await t.client.deleteFile({ file_Id: 1 })).toEqual({ message: 'Deleted File Id: 1' })
})

describe('an invalid file URL', () => {
  const app = sharedApp()

  test.each([
    ['/api/newsfeeds/files/9/a.txt', 4040],
    ['/api/newsfeeds/files/0/a.txt', 4220],
    ['/api/newsfeeds/files/one/a.txt', 4220],
    ['/api/newsfeeds/files/1', 4041],
  ])('%s returns an envelope with code %i', async (path, code) => {
    expect(await failureAt(app(), path)).toBe(code)
  })
})

// Memory use is hard to measure here. Instead: the first bytes are on disk before the last have been sent.
test('a large upload is written as it arrives', async () => {
  await using t = await testApp()
  const half = Buffer.alloc(7_500_000, 'x')
  const head =
    '--edge\r\nContent-Disposition: form-data; name="name"\r\n\r\nLarge\r\n' +
    '--edge\r\nContent-Disposition: form-data; name="created_by"\r\n\r\n1\r\n' +
    '--edge\r\nContent-Disposition: form-data; name="uploaded_files"; filename="large.txt"\r\n\r\n'
  const upload = request(`${t.url}/api/newsfeeds/topics/create`, {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=edge' },
  })
  const response = new Promise((resolve, reject) => upload.on('error', reject).on('response', resolve))
  upload.write(head)
  upload.write(half)
  const written = async () => {
    const [file] = await make.blobs(t)
    return file === undefined ? 0 : (await stat(file)).size
  }
  // The parsers hold back a few buffers, not megabytes.
  await expect.poll(written, { timeout: 10_000 }).toBeGreaterThan(7_000_000)
  upload.write(half)
  upload.end('\r\n--edge--\r\n')
  await response
  expect((await get(t, '/api/newsfeeds/files/1/large.txt', {}, 'HEAD')).headers.get('content-length')).toBe('15000000')
})
