import { describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import * as make from '../../../../test/make.ts'
import { setUpSharedApp } from '../../../../test/shared-app.ts'

const create = '/api/newsfeeds/topics/create'
const lunch: [string, string][] = [
  ['name', 'Lunch is served'],
  ['created_by', '1'],
]

const formOf = <F extends FormData | URLSearchParams>(form: F, fields: [string, string][]): F => {
  for (const [name, value] of fields) form.append(name, value)
  return form
}

/** Creates fields that no operation has. */
const unknownFields = (count: number, name: (index: number) => string): [string, string][] =>
  Array.from({ length: count }, (_, index) => [name(index), ''])

const app = setUpSharedApp()

describe.each([
  ['urlencoded', (fields: [string, string][]) => formOf(new URLSearchParams(), fields)],
  ['multipart', (fields: [string, string][]) => formOf(new FormData(), fields)],
])('a form encoded as %s', (_, form) => {
  test.each([
    ['1,000 fields', unknownFields(998, (index) => `x${index}`), 1000],
    ['1,001 fields', unknownFields(999, (index) => `x${index}`), 4130],
    ['150 empty files', unknownFields(150, () => 'uploaded_files[]'), 1000],
    ['150 empty files with an index', unknownFields(150, (index) => `uploaded_files[${index}]`), 1000],
    ['998 empty files', unknownFields(998, () => 'uploaded_files'), 1000],
    ['999 empty files', unknownFields(999, () => 'uploaded_files'), 4130],
  ])('may have at most 1,000 fields: %s', async (_, more, code) => {
    expect((await make.send(app(), 'POST', create, form([...lunch, ...more]))).response_code).toBe(code)
  })

  test.each(['x[5000]', 'x[]', 'x[a][b][c][d]', 'x[][a]', '[0]', ']', '__proto__[0]'])(
    'may have an unknown field: %s',
    async (name) => {
      const more: [string, string][] = [
        [name, 'a'],
        [name, 'b'],
      ]
      expect((await make.send(app(), 'POST', create, form([...lunch, ...more]))).response_code).toBe(1000)
    },
  )
})

/** Sends a multipart form with the parts that a topic needs, and one with these headers and bytes. */
async function sendPart(t: TestApp, headers: string, bytes: Buffer) {
  const part = (head: string, body: Buffer | string) => [
    Buffer.from(`--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n`, 'latin1'),
    Buffer.from(body),
    Buffer.from('\r\n'),
  ]
  const body = Buffer.concat([
    ...part('name="created_by"', '1'),
    ...part('name="name"', 'Lunch'),
    ...part(headers, bytes),
    Buffer.from('--b--\r\n'),
  ])
  const init = { method: 'POST', headers: { 'content-type': 'multipart/form-data; boundary=b' }, body }
  return JSON.parse(await (await fetch(t.url + create, init)).text())[0]
}

describe('text of a multipart form', () => {
  const utf8 = 'text/plain; charset=utf-8'
  test.each([
    ['as UTF-8', 'name="body"', Buffer.from('Grüße 🍲\uFFFD'), 'Grüße 🍲\uFFFD'],
    ['declared as UTF-8', `name="body"\r\nContent-Type: ${utf8}`, Buffer.from('Grüße'), 'Grüße'],
    ['empty', 'name="body"', Buffer.from(''), ''],
    ['with a byte order mark', 'name="body"', Buffer.from('\uFEFFa'), '\uFEFFa'],
  ])('is accepted %s', async (_, headers, bytes, text) => {
    const { data } = await sendPart(app(), headers, bytes)
    expect(data.NewsFeed[0].content.body).toBe(text)
  })

  test.each([
    ['the text', 'name="body"', Buffer.from('Gr\xfc\xdfe', 'latin1')],
    ['text declared as UTF-8', `name="body"\r\nContent-Type: ${utf8}`, Buffer.from('Gr\xfc\xdfe', 'latin1')],
    ['an unknown field', 'name="other"', Buffer.from([0xff])],
    ['the name of a field', 'name="b\xfcdy"', Buffer.from('x')],
  ])('that is not UTF-8 is rejected in %s', async (_, headers, bytes) => {
    await using t = await startTestApp()
    expect(await sendPart(t, headers, bytes)).toMatchObject({ response_code: 4002 })
    expect((await t.client.listTopics({ offset: 0, limit: 1 })).NewsFeed).toEqual([])
  })

  test('need not be UTF-8 in the name of a file', async () => {
    await using t = await startTestApp()
    const { data } = await sendPart(t, 'name="uploaded_files"; filename="Gr\xfc\xdfe.txt"', Buffer.from('x'))
    expect(decodeURIComponent(new URL(data.NewsFeed[0].content.uploaded_files[0].link).pathname)).toMatch(
      /Gr\uFFFD+e\.txt$/,
    )
  })
})
