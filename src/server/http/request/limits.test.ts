import { describe, expect, test } from 'vitest'
import type { TestApp } from '../../../../test/app.ts'
import * as make from '../../../../test/make.ts'
import { setUpSharedApp } from '../../../../test/shared-app.ts'

const create = '/api/newsfeeds/topics/create'
const limits = { MAX_JSON_BYTES: '50000', MAX_FILE_BYTES: '500', MAX_FILES: '2' }

const app = setUpSharedApp(limits)

const json = (members: object) => JSON.stringify({ name: 'Lunch', created_by: 1, ...members })

function formOf(fields: [string, string | File][]): FormData {
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, value)
  return form
}

const fileOf = (bytes: number): [string, File] => ['uploaded_files[]', new File([new Uint8Array(bytes)], 'a.bin')]
const repeat = <T>(count: number, element: T): T[] => Array.from({ length: count }, () => element)

const bodyOf = (reason: string, message: string) => ({ field: '', in: 'body', reason, message })
const uploads = (reason: string, message: string) => ({ field: 'uploaded_files', in: 'body', reason, message })

const most50000 = bodyOf('TOO_LARGE', 'The body may have at most 50000 bytes.')
const most500 = uploads('TOO_LARGE', 'A file may have at most 500 bytes.')
const most2 = uploads('TOO_MANY', 'A request may contain at most 2 files.')

test.each([
  ['a JSON body that is too large', json({ body: 'x'.repeat(50_000) }), 4130, most50000],
  ['a urlencoded body that is too large', new URLSearchParams({ name: 'x'.repeat(50_000) }), 4130, most50000],
  [
    'a multipart body that is announced as too large',
    formOf([fileOf(60_000)]),
    4130,
    bodyOf('TOO_LARGE', 'The body may have at most 53048 bytes.'),
  ],
  [
    'a form with too much text',
    formOf([['name', 'x'.repeat(50_001)]]),
    4130,
    bodyOf('TOO_LARGE', 'The text of a form may have at most 50000 bytes.'),
  ],
  [
    'a form with too many fields',
    new URLSearchParams('&x'.repeat(1_001)),
    4130,
    bodyOf('TOO_LARGE', 'A form may have at most 1000 fields.'),
  ],
  ['a file part that is too large', formOf([fileOf(501)]), 4130, most500],
  ['base64 of a file that is too large', json({ uploaded_files: [{ data: 'A'.repeat(800) }] }), 4130, most500],
  ['too many file parts', formOf(repeat(3, fileOf(1))), 4131, most2],
  ['too many links', json({ uploaded_files: repeat(3, 'https://a.example') }), 4131, most2],
])('the failure of %s says which limit it exceeds, and how much that allows', async (_, body, code, field) => {
  expect(await make.send(app(), 'POST', create, body)).toMatchObject({ response_code: code, data: { fields: [field] } })
})

test('the failure of a body in chunks says how much is allowed', async () => {
  const chunks = repeat(3, new Uint8Array(20_000))
  const options = { method: 'POST', duplex: 'half', headers: { 'content-type': 'application/json' } } as const
  const response = await fetch(app().url + create, { ...options, body: ReadableStream.from(chunks) })
  expect(await response.json()).toMatchObject([{ response_code: 4130, data: { fields: [most50000] } }])
})

describe('an update that is refused for its files says so', () => {
  const update = async (t: TestApp, links: string[]) => {
    const { id } = await make.topic(t)
    const path = `/api/newsfeeds/topics/${id}/update`
    return (uploaded_files = links) => make.send(t, 'PUT', path, json({ uploaded_files }))
  }
  const linksOf = (from: number, count: number) =>
    Array.from({ length: count }, (_, nth) => `https://a.example/${from + nth}`)

  test('if it brings too many', async () => {
    const send = await update(app(), linksOf(0, 3))
    expect(await send()).toMatchObject({ response_code: 4131, data: { fields: [most2] } })
  })

  test('if it lists too many', async () => {
    const send = await update(app(), linksOf(0, 1_001))
    const fields = [uploads('TOO_MANY', 'uploaded_files may have at most 1000 elements.')]
    expect(await send()).toMatchObject({ response_code: 4131, data: { fields } })
  })

  test('if the topic has no room for them', async () => {
    const send = await update(app(), [])
    for (let nth = 0; nth < 99; nth += 2) await send(linksOf(nth, nth === 98 ? 1 : 2))
    const message = 'A topic or comment may have at most 100 files; this one has 99.'
    expect(await send(linksOf(200, 2))).toMatchObject({
      response_code: 4131,
      data: { fields: [uploads('TOO_MANY', message)] },
    })
  })
})

const notJson = (place: string) => bodyOf('NOT_JSON', `The body is not valid JSON${place}.`)

test.each([
  ['nothing', '', notJson(' at line 1, column 1')],
  ['a missing value', '{"name":,"created_by":1}', notJson(' at line 1, column 9')],
  ['a member in single quotes', "{\n  'name': 1}", notJson(' at line 2, column 3')],
  ['a trailing comma', '{"name":"Lunch",\n}', notJson(' at line 2, column 1')],
  ['a comment', '{"name":"Lunch" /* or tea */}', notJson(' at line 1, column 17')],
  ['text behind it', '{"name":"Lunch"} {}', notJson(' at line 1, column 18')],
  ['an unfinished string', '{"name":"Lunch', notJson(' at line 1, column 9')],
  ['an unescaped line break', '{"name":"Lun\nch"}', notJson(' at line 1, column 9')],
  ['nesting too deep to search', '['.repeat(49_999), notJson('')],
  ['bytes that are not UTF-8', new Uint8Array([0x22, 0xff, 0x22]), bodyOf('NOT_TEXT', 'The body is not valid UTF-8.')],
])('the failure of a JSON body with %s says where', async (_, body, field) => {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(app().url + create, { method: 'POST', headers, body })
  expect(await response.json()).toMatchObject([{ response_code: 4001, data: { fields: [field] } }])
})
