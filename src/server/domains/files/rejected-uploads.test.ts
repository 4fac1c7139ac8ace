import { describe, expect, test } from 'vitest'
import { startTestApp } from '../../../../test/app.ts'
import * as make from '../../../../test/make.ts'
import { setUpSharedApp } from '../../../../test/shared-app.ts'
import { createTopic, filesOf, form, json, pixel, plan, post, slides } from './uploads.fixtures.ts'

describe('an invalid element', () => {
  const app = setUpSharedApp()

  test.each([
    ['javascript:', 'javascript:alert(1)'],
    ['javascript: in an object', { link: 'JavaScript:alert(1)' }],
    ['ftp:', 'ftp://cdn.summit.example/a.png'],
    ['file:', 'file:///etc/passwd'],
    ['no scheme', 'cdn.summit.example/a.png'],
    ['no host', 'https://'],
    ['a leading space', ' https://cdn.summit.example/a.png'],
    ['2,049 characters', `https://cdn.summit.example/${'x'.repeat(2_049 - 27)}`],
    ['a line break', 'https://cdn.summit.example/a\r\nb'],
    ['NUL', 'https://cdn.summit.example/a\0b'],
    ['a number', 7],
    ['null', null],
    ['an array', [slides]],
    ['neither link nor data', { name: 'a.png' }],
    ['a link that is not a string', { link: 7 }],
    ['a name that is not a string', { name: 7, data: 'R3LD' }],
    ['a name of 256 characters', { name: 'x'.repeat(256), data: 'R3LD' }],
    ['a type with a line break', { fileType: 'text/x\r\nSet-Cookie: a=b', data: 'R3LD' }],
    ['invalid base64', { data: 'R3LD!' }],
    // Forms turn an unescaped + into a space: the bytes would differ.
    ['base64 with spaces', { data: 'R3 D' }],
    ['a data: URI without a comma', 'data:image/png;base64'],
    ['a data: URI with invalid base64', 'data:image/png;base64,R3LD!'],
    ['a data: URI with an incomplete escape', 'data:text/plain,100%'],
  ])('is rejected and reported by its index: %s', async (_, element) => {
    const t = app()
    const first = `data:image/png;base64,${pixel.toString('base64')}`
    const response = await make.send(t, 'POST', createTopic, json([first, element, slides]))
    expect(response).toMatchObject({
      response_code: 4220,
      data: { fields: [{ field: 'uploaded_files[1]', in: 'body', reason: 'NOT_A_FILE' }] },
    })
    expect(await make.blobs(t)).toEqual([])
  })

  test('is reported by its index as sent, even after empty elements', async () => {
    const t = app()
    const response = await make.send(t, 'POST', createTopic, json(['', '', 'ftp://cdn.summit.example/a']))
    expect(response).toMatchObject({ response_code: 4220, data: { fields: [{ field: 'uploaded_files[2]' }] } })
  })

  test('is reported together with all other invalid fields', async () => {
    const t = app()
    const body = JSON.stringify({ name: ' ', created_by: 'Ana', uploaded_files: ['ftp://a', slides, {}] })
    const { data } = await make.send(t, 'POST', createTopic, body)
    const fields = ['name', 'created_by', 'uploaded_files[0]', 'uploaded_files[2]'].map((field) => ({ field }))
    expect(data).toMatchObject({ reason: 'VALIDATION_FAILED', fields })
  })

  test.each([7, true, { link: slides }])('is the whole member if it is not an array: %j', async (member) => {
    const t = app()
    const response = await make.send(t, 'POST', createTopic, json(member))
    const fields = [{ field: 'uploaded_files', in: 'body', reason: 'NOT_AN_ARRAY' }]
    expect(response).toMatchObject({ response_code: 4220, data: { fields } })
  })
})

describe('a rejected request leaves no bytes behind', () => {
  const app = setUpSharedApp({ MAX_FILE_BYTES: '1000', MAX_FILES: '3' })

  const small = { data: Buffer.alloc(900, 1).toString('base64') }
  const large = { data: Buffer.alloc(1_001, 1).toString('base64') }
  const part = (bytes: number): [string, File] => ['uploaded_files[]', new File([new Uint8Array(bytes)], 'a.bin')]
  const parts = (...sizes: number[]) => form(new FormData(), sizes.map(part))
  const update = (element: object) =>
    JSON.stringify({ name: 'x', comment: 'x', created_by: 1, uploaded_files: [element] })

  test.each<[string, 'POST' | 'PUT', string, string | FormData, number]>([
    ['for a blank name', 'POST', createTopic, JSON.stringify({ name: '', uploaded_files: [small] }), 4220],
    ['for a name sent twice beside parts', 'POST', createTopic, form(new FormData(), [['name', ''], part(5)]), 4220],
    ['for another method', 'POST', '/api/newsfeeds/topics/7/update', parts(5), 4050],
    ['for an unknown topic', 'PUT', '/api/newsfeeds/topics/7/update', update(small), 4040],
    ['for an unknown topic beside parts', 'PUT', '/api/newsfeeds/topics/7/update', parts(5, 6), 4040],
    ['for an unknown topic of a comment', 'POST', '/api/newsfeeds/topics/7/comments/create', update(small), 4040],
    ['for an unknown comment', 'PUT', '/api/newsfeeds/comments/7/update', update(small), 4040],
    ['for an invalid id', 'PUT', '/api/newsfeeds/topics/0/update', parts(5), 4220],
    ['for too many files', 'POST', createTopic, json([small, small, small, slides]), 4131],
    ['for too many parts', 'POST', createTopic, parts(5, 6, 7, 8), 4131],
    ['for too many parts and links', 'POST', createTopic, form(parts(5, 6, 7), [['uploaded_files[]', slides]]), 4131],
    ['for a file that is too large', 'POST', createTopic, json([large]), 4130],
    ['for a file that is too large after others', 'POST', createTopic, json([small, small, large]), 4130],
    ['for a data: URI that is too large', 'POST', createTopic, json([small, `data:;base64,${large.data}`]), 4130],
    ['for a part that is too large', 'POST', createTopic, parts(1_001), 4130],
    ['for a part that is too large after others', 'POST', createTopic, parts(5, 6, 1_001), 4130],
    ['for a part that is too large before others', 'POST', createTopic, parts(1_001, 5, 6), 4130],
  ])('%s', async (_, method, path, body, code) => {
    const t = app()
    expect((await make.send(t, method, path, body)).response_code).toBe(code)
    expect(await make.blobs(t)).toEqual([])
    expect(await t.ctx.database.read.selectFrom('file').selectAll().execute()).toEqual([])
  })

  test('but a request exactly at the limits is accepted', async () => {
    await using t = await startTestApp({ MAX_FILE_BYTES: '1000', MAX_FILES: '3' })
    await post(t, parts(1_000, 1_000, 1_000))
    await post(t, json([slides, plan, { data: Buffer.alloc(1_000).toString('base64') }]))
    expect(await filesOf(t, 1)).toHaveLength(3)
    expect(await filesOf(t, 2)).toHaveLength(3)
    await expect.poll(async () => (await make.blobs(t)).length).toBe(4)
  })
})
