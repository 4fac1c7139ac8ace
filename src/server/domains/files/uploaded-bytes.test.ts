import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { startTestApp } from '../../../../test/app.ts'
import * as make from '../../../../test/make.ts'
import { setUpSharedApp } from '../../../../test/shared-app.ts'
import { bytesOf, createTopic, filesOf, form, json, pixel, post } from './uploads.fixtures.ts'

describe('stored bytes', () => {
  const app = setUpSharedApp()

  const everyByte = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
  const percentEncoded = Array.from(everyByte, (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
  test.each([
    ['base64', { data: everyByte.toString('base64') }],
    ['base64 in lines', { data: everyByte.toString('base64').replace(/.{64}/g, '$&\r\n') }],
    ['base64 for URLs', { data: everyByte.toString('base64url') }],
    ['a data: URI in base64', `data:application/x-any;base64,${everyByte.toString('base64')}`],
    ['a data: URI in escaped base64', `DATA:;base64,${encodeURIComponent(everyByte.toString('base64'))}`],
    ['a percent-encoded data: URI', `data:application/x-any,${percentEncoded}`],
  ])('are decoded from %s', async (_, element) => {
    const t = app()
    const id = await post(t, json([element]))
    expect(await bytesOf((await filesOf(t, id))[0]?.link ?? '')).toEqual(everyByte)
  })

  const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0])
  const text = Buffer.from('<script>alert(1)</script>')
  test.each([
    ['image/png', pixel, 'image/png'],
    ['image/jpeg', pixel, 'image/png'],
    ['text/html', jpeg, 'image/jpeg'],
    ['application/json', Buffer.from('%PDF-1.7\n'), 'application/pdf'],
    ['', Buffer.from('GIF89a\x01\x00\x01\x00\x80', 'latin1'), 'image/gif'],
    ['image/png', text, 'application/octet-stream'],
    ['application/x-msdownload', text, 'application/octet-stream'],
    ['', text, 'application/octet-stream'],
    ['text/html', text, 'text/html'],
    ['TEXT/Plain; charset=utf-8', text, 'text/plain'],
    ['application/json', text, 'application/json'],
  ])('declared as %j have the type of their content', async (declared, bytes, fileType) => {
    const t = app()
    const data = bytes.toString('base64')
    const part = new File([new Uint8Array(bytes)], 'a', { type: declared })
    for (const body of [
      json([{ name: 'a', fileType: declared, data }]),
      form(new FormData(), [['uploaded_files[]', part]]),
    ])
      expect(await filesOf(t, await post(t, body))).toMatchObject([{ fileType }])
  })
})

// Memory use is hard to measure here. Instead: most of the first bytes are on disk before the last have been sent.
test('a large upload is written as it arrives', async () => {
  await using t = await startTestApp()
  const half = Buffer.alloc(7_500_000, 'x')
  const head =
    '--edge\r\nContent-Disposition: form-data; name="name"\r\n\r\nLarge\r\n' +
    '--edge\r\nContent-Disposition: form-data; name="created_by"\r\n\r\n1\r\n' +
    '--edge\r\nContent-Disposition: form-data; name="uploaded_files"; filename="large.txt"\r\n\r\n'
  const upload = request(t.url + createTopic, {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=edge' },
  })
  const response = once(upload, 'response')
  upload.write(head)
  upload.write(half)
  const written = async () => {
    const [file] = await make.blobs(t)
    return file === undefined ? 0 : (await stat(file)).size
  }
  // The parsers hold back a few buffers, not megabytes.
  await expect.poll(written).toBeGreaterThan(7_000_000)
  upload.write(half)
  upload.end('\r\n--edge--\r\n')
  await response
  expect(
    (await fetch(`${t.url}/api/newsfeeds/files/1/large.txt`, { method: 'HEAD' })).headers.get('content-length'),
  ).toBe('15000000')
})
