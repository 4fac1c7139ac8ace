import { describe, expect, test } from 'vitest'
import { defaultLimits } from '../../src/contract/limits.ts'
import * as make from '../make.ts'
import { setUpSharedApp } from '../shared-app.ts'
import { expectNoCrashes } from './crashes.ts'
import { chunked, codeOf, createPath, expectAlive, requestText, sendRaw } from './raw-requests.ts'

expectNoCrashes()

const json = 'application/json'
const urlencoded = 'application/x-www-form-urlencoded'
const multipart = 'multipart/form-data; boundary=b'

describe('a body above the limit is refused', () => {
  const app = setUpSharedApp({ MAX_FILE_BYTES: '300000' })

  const block = 'x'.repeat(200_000)
  const blocks = (count: number) => Array.from({ length: count }, () => block)
  const file = '--b\r\nContent-Disposition: form-data; name="uploaded_files"; filename="a"\r\n\r\n'
  const field = '\r\n--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n'

  test.each([json, urlencoded, multipart])('as soon as it is announced, as %s', async (type) => {
    const announced = [`Content-Type: ${type}`, 'Content-Length: 999999999999']
    // The body is never sent, so a server that waited for it would exceed the timeout.
    expect(codeOf(await sendRaw(app(), requestText('POST', createPath, announced)))).toBe(4130)
    // The size is checked before the encoding.
    const gzipped = requestText('POST', createPath, [...announced, 'Content-Encoding: gzip'])
    expect(codeOf(await sendRaw(app(), gzipped))).toBe(4130)
  })

  test.each([
    ['JSON', json, blocks(8)],
    ['a form', urlencoded, ['name=', ...blocks(8)]],
    ['a file', multipart, [file, ...blocks(3)]],
    ['text among files', multipart, Array.from({ length: 8 }, () => field + block)],
    ['text after the last part', multipart, ['--b--', ...blocks(30)]],
    ['text before the first part', multipart, blocks(30)],
    ['too many parts', multipart, [`${field}x`.repeat(10_000)]],
  ])('in chunks: %s', async (_, type, pieces) => {
    const headers = [`Content-Type: ${type}`, 'Transfer-Encoding: chunked']
    const responses = await sendRaw(app(), requestText('POST', createPath, headers), chunked(...pieces))
    expect(codeOf(responses)).toBe(4130)
    expect(await make.blobs(app())).toEqual([])
    await expectAlive(app())
  })
})

describe('a fetch client whose body is above the limit gets a response, not a broken connection', () => {
  const app = setUpSharedApp()

  test('for JSON', async () => {
    const name = 'x'.repeat(4 * defaultLimits.jsonBytes)
    expect(await make.codeOf(app().client.call('createTopic', { name, created_by: 1 }))).toBe(4130)
  })

  test('for a file', async () => {
    const files = [new File([new Uint8Array(defaultLimits.fileBytes + 1)], 'big.bin')]
    expect(await make.codeOf(app().client.call('createTopic', { name: 'x', created_by: 1 }, { files }))).toBe(4130)
  })
})
