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

/** Attaches a file to a new topic. @returns its path, as in its link */
async function store(t: TestApp, name: string, fileType: string, bytes: Buffer): Promise<string> {
  const data = bytes.toString('base64')
  const { content } = await make.topic(t, { uploaded_files: [{ name, fileType, data }] })
  return new URL(make.only(content.uploaded_files).link).pathname
}

/** Asks for bytes. */
async function get(t: TestApp, path: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await fetch(t.url + path, { method, headers })
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

const failureAt = async (t: TestApp, path: string) => (await make.send(t, 'GET', path)).response_code

describe('a stored file', () => {
  const app = sharedApp()

  test('is served to the byte, for good, and with nothing in it free to act', async () => {
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

  test.each(['png', 'jpeg', 'gif', 'webp'] as const)('of a plain image (%s) is shown in place', async (format) => {
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
  ])('that may hold a script (%s as %s) is for keeping, not for showing', async (name, declared, text, fileType) => {
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
  ])('keeps its name for who saves it: %s', async (name, ascii, encoded) => {
    const t = app()
    const path = await store(t, name, 'text/plain', Buffer.from('x'))
    const { headers } = await get(t, path)
    expect(decodeURIComponent(path.split('/').at(-1) ?? '')).toBe(name)
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`)
  })

  test('is found by its id alone: the name in the address may be any', async () => {
    await using t = await testApp()
    await store(t, 'a.txt', 'text/plain', Buffer.from('Hello'))
    for (const name of ['a.txt', 'b.html', '..%2F..%2Fsummit.db', '%00', 'delete', 'x'.repeat(2_000)])
      expect((await get(t, `/api/newsfeeds/files/1/${name}`)).bytes.toString()).toBe('Hello')
  })

  test('of no bytes is served as such', async () => {
    await using t = await testApp()
    const form = new FormData()
    form.append('name', 'x')
    form.append('created_by', '1')
    form.append('uploaded_files', new File([], 'empty.txt', { type: 'text/plain' }))
    await make.send(t, 'POST', '/api/newsfeeds/topics/create', form)
    const { status, headers, bytes } = await get(t, '/api/newsfeeds/files/1/empty.txt')
    expect([status, headers.get('content-length'), bytes.length]).toEqual([200, '0', 0])
  })

  test('is still there, with the same ETag, when the same summit is served again', async () => {
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

describe('a client that has the file already', () => {
  const app = sharedApp()

  test.each([
    ['the same tag', (etag: string) => etag, 304],
    ['the same tag, weakly', (etag: string) => `W/${etag}`, 304],
    ['the same tag among others', (etag: string) => `"other", ${etag}`, 304],
    ['any tag', () => '*', 304],
    ['another tag', () => '"other"', 200],
    ['no tag at all', (etag: string) => etag.replaceAll('"', ''), 200],
  ])('is told so by %s: %i', async (_, given, status) => {
    const t = app()
    const path = await store(t, 'a.txt', 'text/plain', Buffer.from('Hello'))
    const etag = (await get(t, path)).headers.get('etag') ?? ''
    const answer = await get(t, path, { 'if-none-match': given(etag) })
    expect(answer.status).toBe(status)
    expect(answer.bytes.toString()).toBe(status === 304 ? '' : 'Hello')
    expect(answer.headers.get('etag')).toBe(etag)
    expect(answer.headers.get('cache-control')).toContain('immutable')
  })
})

describe('a part of a file', () => {
  const app = sharedApp()

  test.each([
    ['the first bytes', 'bytes=0-3', 'bytes 0-3/10', '0123'],
    ['bytes in the middle', 'bytes=4-6', 'bytes 4-6/10', '456'],
    ['the last bytes', 'bytes=-3', 'bytes 7-9/10', '789'],
    ['all from one on', 'bytes=7-', 'bytes 7-9/10', '789'],
    ['more than there are', 'bytes=8-99', 'bytes 8-9/10', '89'],
  ])('is served for %s', async (_, range, contentRange, text) => {
    const t = app()
    const { status, headers, bytes } = await get(t, await store(t, 'a.txt', '', Buffer.from('0123456789')), { range })
    expect([status, bytes.toString()]).toEqual([206, text])
    expect(headers.get('content-range')).toBe(contentRange)
    expect(headers.get('content-length')).toBe(String(text.length))
  })

  test.each(['bytes=10-', 'bytes=10-12', 'bytes=-0'])(
    'that is not there (%s) is refused with the size',
    async (range) => {
      const t = app()
      const { status, headers, bytes } = await get(t, await store(t, 'a.txt', '', Buffer.from('0123456789')), { range })
      expect([status, bytes.length]).toEqual([416, 0])
      expect(headers.get('content-range')).toBe('bytes */10')
      // The bytes may be kept for good; that there are no such is not.
      expect(headers.get('cache-control')).toBe('no-store')
    },
  )

  test.each(['bytes=0-1,4-5', 'bytes=3-1', 'lines=0-1', 'bytes=a-b', 'bytes', ''])(
    'that we do not serve as such (%j) is the whole file',
    async (range) => {
      const t = app()
      const { status, headers, bytes } = await get(t, await store(t, 'a.txt', '', Buffer.from('0123456789')), { range })
      expect([status, bytes.toString()]).toEqual([200, '0123456789'])
      expect(headers.get('content-range')).toBeNull()
    },
  )

  test('is the whole file for who asks for more last bytes than there are', async () => {
    const t = app()
    const path = await store(t, 'a.txt', '', Buffer.from('0123456789'))
    expect((await get(t, path, { range: 'bytes=-99' })).bytes.toString()).toBe('0123456789')
  })

  test('is not given to who asks for the headers alone', async () => {
    const t = app()
    const path = await store(t, 'a.txt', '', Buffer.from('0123456789'))
    const { status, headers } = await fetch(t.url + path, { method: 'HEAD', headers: { range: 'bytes=2-3' } })
    expect([status, headers.get('content-length')]).toEqual([200, '10'])
  })

  test('is served to who resumes the same file, and the whole to who had another', async () => {
    const t = app()
    const path = await store(t, 'a.txt', '', Buffer.from('0123456789'))
    const etag = (await get(t, path)).headers.get('etag') ?? ''
    const resumed = async (ifRange: string) => (await get(t, path, { range: 'bytes=8-', 'if-range': ifRange })).bytes
    expect((await resumed(etag)).toString()).toBe('89')
    expect((await resumed('"other"')).toString()).toBe('0123456789')
    // If-Range compares strongly (RFC 9110, 13.1.5), and we have given nobody a date.
    expect((await resumed(`W/${etag}`)).toString()).toBe('0123456789')
    expect((await resumed('Wed, 01 May 2030 09:00:00 GMT')).toString()).toBe('0123456789')
  })

  test('is not sent to who has the whole already', async () => {
    const t = app()
    const path = await store(t, 'a.txt', '', Buffer.from('0123456789'))
    const etag = (await get(t, path)).headers.get('etag') ?? ''
    expect((await get(t, path, { range: 'bytes=0-3', 'if-none-match': etag })).status).toBe(304)
  })
})

test('HEAD answers with the headers of GET and no bytes', async () => {
  await using t = await testApp()
  const path = await store(t, 'a.txt', 'text/plain', Buffer.from('0123456789'))
  const [asked, got] = [await get(t, path, {}, 'HEAD'), await get(t, path)]
  expect([asked.status, asked.bytes.length]).toEqual([200, 0])
  const ofTheFile = ({ headers }: typeof got) =>
    Object.fromEntries(
      [...headers].filter(([name]) => !['request-id', 'date', 'connection', 'keep-alive'].includes(name)),
    )
  expect(ofTheFile(asked)).toEqual(ofTheFile(got))
  expect(asked.headers.get('content-length')).toBe('10')
})

describe('a file that is gone', () => {
  const path = '/api/newsfeeds/files/1/a.txt'
  const bytes = { name: 'a.txt', fileType: 'text/plain', data: 'SGVsbG8=' }

  test('is not found any more, nor listed, and cannot be deleted twice; its bytes stay for a restore', async () => {
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

  test('because its topic is: not found, and not to be deleted either', async () => {
    await using t = await testApp()
    await make.topic(t, { uploaded_files: [bytes] })
    await t.client.deleteTopic({ topic_id: 1 })
    expect(await failureAt(t, path)).toBe(4040)
    expect(await make.codeOf(t.client.call('deleteFile', { file_Id: 1 }))).toBe(4040)
  })

  test.each(['deleteComment', 'deleteTopic'] as const)('because its comment went by %s', async (operation) => {
    await using t = await testApp()
    await make.topic(t)
    const { uploaded_files } = await make.comment(t, { topic_id: 1, uploaded_files: [bytes] })
    expect((await get(t, new URL(make.only(uploaded_files).link).pathname)).bytes.toString()).toBe('Hello')
    await t.client.call(operation, { comment_id: 1, topic_id: 1 })
    expect(await failureAt(t, path)).toBe(4040)
    expect(await make.codeOf(t.client.call('deleteFile', { file_Id: 1 }))).toBe(4040)
  })

  test('by whoever names it leaves its row in the change log, under its topic', async () => {
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

test('an external link is not ours to serve, but can be deleted', async () => {
  await using t = await testApp()
  await make.topic(t, { uploaded_files: ['https://cdn.summit.example/slides.pdf'] })
  expect(await failureAt(t, '/api/newsfeeds/files/1/slides.pdf')).toBe(4040)
  expect(await t.client.deleteFile({ file_Id: 1 })).toEqual({ message: 'Deleted File Id: 1' })
})

describe('what is no address of a file', () => {
  const app = sharedApp()

  test.each([
    ['/api/newsfeeds/files/9/a.txt', 4040],
    ['/api/newsfeeds/files/0/a.txt', 4220],
    ['/api/newsfeeds/files/one/a.txt', 4220],
    ['/api/newsfeeds/files/1', 4041],
  ])('%s is answered with an envelope: %i', async (path, code) => {
    expect(await failureAt(app(), path)).toBe(code)
  })
})

// How much memory that takes is hard to see from within; that the bytes are on disk before the last has come is not.
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
  const answered = new Promise((resolve, reject) => upload.on('error', reject).on('response', resolve))
  upload.write(head)
  upload.write(half)
  const written = async () => {
    const [file] = await make.blobs(t)
    return file === undefined ? 0 : (await stat(file)).size
  }
  // What the parsers hold back is a few buffers, not megabytes.
  await expect.poll(written, { timeout: 10_000 }).toBeGreaterThan(7_000_000)
  upload.write(half)
  upload.end('\r\n--edge--\r\n')
  await answered
  expect((await get(t, '/api/newsfeeds/files/1/large.txt', {}, 'HEAD')).headers.get('content-length')).toBe('15000000')
})
