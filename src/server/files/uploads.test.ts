import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import * as make from '../../../test/make.ts'
import { sharedApp } from '../../../test/shared-app.ts'
import type { Topic } from '../../contract/newsfeed.ts'

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg==',
  'base64',
)
const createTopic = '/api/newsfeeds/topics/create'
const slides = 'https://cdn.summit.example/slides.pdf'
const plan = 'https://cdn.summit.example/plan'

const filesOf = async (t: TestApp, topic_id: number) =>
  make.only((await t.client.getTopic({ topic_id })).NewsFeed).content.uploaded_files

/** The files of a topic: an external link as it is, a stored file by its name, and the type of each. */
const namesAndTypesOf = async (t: TestApp, topic_id: number) =>
  (await filesOf(t, topic_id)).map(({ link, fileType }) => [
    link.startsWith(`${t.url}/api/newsfeeds/files/`) ? nameIn(link) : link,
    fileType,
  ])

const nameIn = (link: string): string => decodeURIComponent(link.split('/').at(-1) ?? '')

const bytesOf = async (link: string): Promise<Buffer> => Buffer.from(await (await fetch(link)).arrayBuffer())

/** Yields the pieces slowly, so that each arrives separately. */
async function* inPieces(pieces: string[]) {
  for (const piece of pieces) {
    yield Buffer.from(piece)
    await sleep(20)
  }
}

/** A form with the required members of a topic. */
function form<F extends FormData | URLSearchParams>(
  empty: F,
  members: readonly (readonly [string, string | File])[],
): F {
  empty.append('name', 'With files')
  empty.append('created_by', '1')
  for (const [name, value] of members)
    if (typeof value === 'string') empty.append(name, value)
    else if (empty instanceof FormData) empty.append(name, value)
  return empty
}

const json = (uploaded_files: unknown) => JSON.stringify({ name: 'With files', created_by: 1, uploaded_files })

/** Posts a valid topic. @returns its id */
async function post(
  t: TestApp,
  body: string | FormData | URLSearchParams,
  headers?: Record<string, string>,
): Promise<number> {
  const { response_code, data } = await make.send(t, 'POST', createTopic, body, headers)
  expect(response_code).toBe(1000)
  return Number(make.only((data as { NewsFeed: Topic[] }).NewsFeed).id)
}

describe('the member uploaded_files', () => {
  const app = sharedApp()

  const asJson: [string, unknown, [string, string][]][] = [
    ['absent', undefined, []],
    ['null', null, []],
    ['an empty array', [], []],
    ['a link without an array', slides, [[slides, 'application/pdf']]],
    [
      'links',
      [slides, plan],
      [
        [slides, 'application/pdf'],
        [plan, 'application/octet-stream'],
      ],
    ],
    ['a link with its type', [{ link: plan, fileType: 'image/svg+xml' }], [[plan, 'image/svg+xml']]],
    [
      'a link whose type is in upper case, with parameters',
      [{ link: plan, fileType: 'TEXT/Html; charset=utf-8' }],
      [[plan, 'text/html']],
    ],
    [
      'a link whose type is not a media type',
      [
        { link: slides, fileType: 'not a type <b>' },
        { link: plan, fileType: 'image' },
      ],
      [
        [slides, 'application/pdf'],
        [plan, 'application/octet-stream'],
      ],
    ],
    ['a link without its type', [{ link: slides }], [[slides, 'application/pdf']]],
    ['a data: URI in base64', [`data:image/png;base64,${pixel.toString('base64')}`], [['file.png', 'image/png']]],
    ['a data: URI without a type', ['data:,a%20b'], [['file.txt', 'text/plain']]],
    ['a percent-encoded data: URI', ['data:text/plain;charset=utf-8,Gr%C3%BC%C3%9Fe'], [['file.txt', 'text/plain']]],
    ['bytes', [{ name: 'a.png', fileType: 'image/png', data: pixel.toString('base64') }], [['a.png', 'image/png']]],
    ['bytes without a type', [{ name: 'notes.txt', data: 'R3LDvMOfZQ==' }], [['notes.txt', 'text/plain']]],
    ['bytes without a name', [{ fileType: 'text/csv', data: 'R3LDvMOfZQ' }], [['file.csv', 'text/csv']]],
    [
      'several kinds',
      [slides, { data: 'R3LDvMOfZQ' }],
      [
        [slides, 'application/pdf'],
        ['file.bin', 'application/octet-stream'],
      ],
    ],
  ]
  test.each(asJson)('in JSON: %s', async (_, member, expected) => {
    const t = app()
    const id = await post(t, json(member))
    expect(await namesAndTypesOf(t, id)).toEqual(expected)
  })

  const asForm: [string, [string, string][], [string, string][]][] = [
    ['a single element without brackets', [['uploaded_files', slides]], [[slides, 'application/pdf']]],
    ['an empty element', [['uploaded_files', '']], []],
    [
      'empty elements in brackets',
      [
        ['uploaded_files[]', ''],
        ['uploaded_files[]', ''],
      ],
      [],
    ],
    [
      'the same name twice',
      [
        ['uploaded_files', plan],
        ['uploaded_files', slides],
      ],
      [
        [plan, 'application/octet-stream'],
        [slides, 'application/pdf'],
      ],
    ],
    ['empty brackets', [['uploaded_files[]', slides]], [[slides, 'application/pdf']]],
    [
      'numbers in brackets',
      [
        ['uploaded_files[0]', plan],
        ['uploaded_files[1]', slides],
      ],
      [
        [plan, 'application/octet-stream'],
        [slides, 'application/pdf'],
      ],
    ],
    ['a number that does not start at 0', [['uploaded_files[7]', slides]], [[slides, 'application/pdf']]],
    [
      'members in brackets',
      [
        ['uploaded_files[0][link]', plan],
        ['uploaded_files[0][fileType]', 'image/png'],
      ],
      [[plan, 'image/png']],
    ],
    [
      'bytes',
      [
        ['uploaded_files[0][name]', 'a.txt'],
        ['uploaded_files[0][data]', 'R3LDvMOfZQ=='],
      ],
      [['a.txt', 'text/plain']],
    ],
    [
      'members of several objects without numbers',
      [
        ['uploaded_files[][link]', plan],
        ['uploaded_files[][fileType]', 'image/png'],
        ['uploaded_files[][link]', slides],
        ['uploaded_files[][fileType]', 'image/gif'],
        ['uploaded_files[][link]', `${slides}?2`],
      ],
      [
        [plan, 'image/png'],
        [slides, 'image/gif'],
        [`${slides}?2`, 'application/pdf'],
      ],
    ],
    [
      'members with and without numbers',
      [
        ['uploaded_files[][link]', slides],
        ['uploaded_files[0][link]', plan],
        ['uploaded_files[][link]', `${slides}?2`],
      ],
      [
        [plan, 'application/octet-stream'],
        [slides, 'application/pdf'],
        [`${slides}?2`, 'application/pdf'],
      ],
    ],
    ['a number beyond all limits', [['uploaded_files[5000]', slides]], [[slides, 'application/pdf']]],
    ['a data: URI', [['uploaded_files[]', `data:;base64,${pixel.toString('base64')}`]], [['file.png', 'image/png']]],
  ]
  test.each(asForm)('in a urlencoded form: %s', async (_, members, expected) => {
    const t = app()
    const id = await post(t, form(new URLSearchParams(), members))
    expect(await namesAndTypesOf(t, id)).toEqual(expected)
  })
  test.each(asForm)('in the fields of a multipart form: %s', async (_, members, expected) => {
    const t = app()
    const id = await post(t, form(new FormData(), members))
    expect(await namesAndTypesOf(t, id)).toEqual(expected)
  })

  test.each(['uploaded_files', 'uploaded_files[]', 'uploaded_files[3]'])('as a file part named %s', async (name) => {
    const t = app()
    const id = await post(t, form(new FormData(), [[name, new File([pixel], 'pixel.png')]]))
    expect(await namesAndTypesOf(t, id)).toEqual([['pixel.png', 'image/png']])
    expect(await bytesOf((await filesOf(t, id))[0]?.link ?? '')).toEqual(pixel)
  })

  test('as several file parts and links', async () => {
    const t = app()
    const [one, two] = [new File(['one'], 'one.txt', { type: 'text/plain' }), new File([pixel], 'two.png')]
    const id = await post(
      t,
      form(new FormData(), [
        ['uploaded_files[]', one],
        ['uploaded_files[]', slides],
        ['uploaded_files[]', two],
      ]),
    )
    expect((await namesAndTypesOf(t, id)).map(([name]) => name).sort()).toEqual([slides, 'one.txt', 'two.png'])
  })

  test('as file parts far larger than one chunk: every byte is returned', async () => {
    const t = app()
    const files = [1_500_000, 1, 3_000_001].map((size) => randomBytes(size))
    const members = files.map((bytes, nth) => ['uploaded_files', new File([bytes], `${nth}.bin`)] as const)
    const links = await filesOf(t, await post(t, form(new FormData(), members)))
    const served = await Promise.all(links.map(({ link }) => bytesOf(link)))
    const inOrder = links.map(({ link }) => Number.parseInt(nameIn(link), 10))
    expect(inOrder.toSorted()).toEqual([0, 1, 2])
    for (const [at, bytes] of served.entries()) expect(files[inOrder[at] ?? 0]?.equals(bytes)).toBe(true)
  })

  test('as a file part whose content contains an incomplete boundary, in pieces', async () => {
    const t = app()
    const head = (disposition: string) => `--edge\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`
    // The parser buffers a possible boundary until the next piece decides.
    const content = ['A'.repeat(100), '\r\n--edg', '\r', 'XBBB']
    const pieces = [
      `${head('name="name"')}Split\r\n${head('name="created_by"')}1\r\n${head('name="uploaded_files"; filename="a.txt"')}`,
      ...content,
      '\r\n--edge--\r\n',
    ]
    const response = await fetch(t.url + createTopic, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=edge' },
      body: ReadableStream.from(inPieces(pieces)),
      duplex: 'half',
    } as RequestInit)
    const [{ response_code, data }] = JSON.parse(await response.text())
    expect(response_code).toBe(1000)
    const [file] = await filesOf(t, Number(data.NewsFeed[0].id))
    expect((await bytesOf(file?.link ?? '')).toString()).toBe(content.join(''))
  })

  // A browser sends this for <input type="file"> when nothing was chosen (HTML, "constructing the entry list").
  test('as the nameless empty part of a form without a chosen file: adds none', async () => {
    await using t = await testApp()
    const id = await post(t, form(new FormData(), [['uploaded_files[]', new File([], '')]]))
    expect(await filesOf(t, id)).toEqual([])
    await expect.poll(() => make.blobs(t)).toEqual([])
  })

  test('as an empty file with a name: adds the file', async () => {
    const t = app()
    const id = await post(
      t,
      form(new FormData(), [['uploaded_files[]', new File([], 'empty.txt', { type: 'text/plain' })]]),
    )
    expect(await namesAndTypesOf(t, id)).toEqual([['empty.txt', 'text/plain']])
    expect(await bytesOf((await filesOf(t, id))[0]?.link ?? '')).toEqual(Buffer.alloc(0))
  })

  test.each(['comments', 'topics'])('in an update of %s', async (records) => {
    await using t = await testApp()
    await make.topic(t)
    await make.comment(t, { topic_id: 1 })
    const body = JSON.stringify({ name: 'x', comment: 'x', uploaded_files: [slides] })
    expect(await make.send(t, 'PUT', `/api/newsfeeds/${records}/1/update`, body)).toMatchObject({ response_code: 1000 })
    const [topic] = (await t.client.getTopic({ topic_id: 1 })).NewsFeed
    const files = records === 'topics' ? topic?.content.uploaded_files : topic?.comments[0]?.uploaded_files
    expect(files).toEqual([{ id: '1', link: slides, fileType: 'application/pdf' }])
  })
})

describe('stored bytes', () => {
  const app = sharedApp()

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

describe('a link', () => {
  const app = sharedApp()

  test.each([
    'http://127.0.0.1:1/x',
    'HTTPS://CDN.Summit.example/Ä b.PNG?size=big#top',
    `https://cdn.summit.example/${'x'.repeat(2_048 - 27)}`,
  ])('is stored as given: %s', async (link) => {
    const t = app()
    const id = await post(t, json([link]))
    expect((await filesOf(t, id))[0]?.link).toBe(link)
  })

  test('is never fetched', async () => {
    let visits = 0
    const server = createServer((_, response) => response.end(String(++visits))).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const link = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.png`
    await using t = await testApp()
    const id = await post(t, json([link, { link: `${link}?2` }]))
    expect(await filesOf(t, id)).toHaveLength(2)
    await make.send(t, 'GET', '/api/newsfeeds/files/1/a.png')
    expect(visits).toBe(0)
    expect(await bytesOf(link)).toEqual(Buffer.from('1'))
    server.close()
  })
})

describe('an invalid element', () => {
  const app = sharedApp()

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
  const app = sharedApp({ MAX_FILE_BYTES: '1000', MAX_FILES: '3' })

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
    await using t = await testApp({ MAX_FILE_BYTES: '1000', MAX_FILES: '3' })
    await post(t, parts(1_000, 1_000, 1_000))
    await post(t, json([slides, plan, { data: Buffer.alloc(1_000).toString('base64') }]))
    expect(await filesOf(t, 1)).toHaveLength(3)
    expect(await filesOf(t, 2)).toHaveLength(3)
    await expect.poll(async () => (await make.blobs(t)).length).toBe(4)
  })
})

describe('the name of a file', () => {
  const app = sharedApp()

  const names: [string, string, string][] = [
    ['in any script', 'Grüße 🍲 日程.txt', 'Grüße 🍲 日程.txt'],
    ['with a path', '../../etc/passwd', 'passwd'],
    ['with a path of Windows', 'C:\\temp\\plan.txt', 'plan.txt'],
    ['that is only a path', '../..', 'file.txt'],
    ['with characters special in HTTP and file systems', "a'b;c%2Fd&e#f?.txt", "a'b;c%2Fd&e#f.txt"],
    ['with a direction override', 'photo\u202Egnp.txt', 'photognp.txt'],
    ['with invisible characters', '\u200Ba\u2066\uFEFF.txt\u2028', 'a.txt'],
    ['of 254 characters', `${'x'.repeat(250)}.txt`, `${'x'.repeat(196)}.txt`],
    ['that is blank', '  ', 'file.txt'],
  ]
  test.each(names)('%s, in JSON', async (_, name, served) => {
    const t = app()
    const id = await post(t, json([{ name, fileType: 'text/plain', data: 'R3LD' }]))
    const [file] = await filesOf(t, id)
    expect(nameIn(file?.link ?? '')).toBe(served)
    expect(file?.link).toMatch(/^[!-~]+$/)
  })
  test.each(names)('%s, in multipart', async (_, name, served) => {
    const t = app()
    const id = await post(
      t,
      form(new FormData(), [['uploaded_files[]', new File(['Gr'], name, { type: 'text/plain' })]]),
    )
    const [file] = await filesOf(t, id)
    expect(nameIn(file?.link ?? '')).toBe(served)
    expect(await bytesOf(file?.link ?? '')).toEqual(Buffer.from('Gr'))
  })

  test('is derived from the type if absent', async () => {
    const t = app()
    const [nameless, picture] = [new File(['Gr'], ''), new File([pixel], '')]
    const parts = form(new FormData(), [
      ['uploaded_files[]', nameless],
      ['uploaded_files[]', picture],
    ])
    const namesOf = async (id: number) => (await filesOf(t, id)).map(({ link }) => nameIn(link))
    expect(await namesOf(await post(t, json([{ fileType: 'text/plain', data: 'R3LD' }])))).toEqual(['file.txt'])
    expect(await namesOf(await post(t, parts))).toEqual(['file.bin', 'file.png'])
  })

  test('of 1,000 characters keeps its end, whole characters and the extension', async () => {
    const t = app()
    const id = await post(
      t,
      form(new FormData(), [['uploaded_files[]', new File([pixel], `${'🍲'.repeat(1_000)}.png`)]]),
    )
    const [file] = await filesOf(t, id)
    // Each takes twelve characters in the link, which has a maximum length.
    expect(nameIn(file?.link ?? '')).toBe(`${'🍲'.repeat(149)}.png`)
    expect(await bytesOf(file?.link ?? '')).toEqual(pixel)
    await t.client.updateTopic({ topic_id: id, name: 'x', uploaded_files: await filesOf(t, id) })
    expect(await filesOf(t, id)).toEqual([file])
  })

  test('of 1,000 letters keeps its end', async () => {
    const t = app()
    const id = await post(
      t,
      form(new FormData(), [['uploaded_files[]', new File([pixel], `${'x'.repeat(1_000)}.png`)]]),
    )
    const [file] = await filesOf(t, id)
    expect(nameIn(file?.link ?? '')).toBe(`${'x'.repeat(196)}.png`)
  })

  test.each([
    ['quoted quotes', 'filename="a \\"b\\".txt"', 'a b.txt'],
    ['a semicolon in quotes', 'filename="a;b.txt"', 'a;b.txt'],
    ['no quotes', 'filename=a.txt', 'a.txt'],
  ])('in the header of a part, with %s', async (_, parameter, served) => {
    const t = app()
    const part = (disposition: string, content: string) =>
      `--edge\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`
    const body = [
      part('name="name"', 'With files'),
      part('name="created_by"', '1'),
      part(`name="uploaded_files"; ${parameter}`, 'Gr'),
      '--edge--\r\n',
    ].join('')
    const type = { 'content-type': 'multipart/form-data; boundary=edge' }
    const id = await post(t, body, type)
    expect(nameIn((await filesOf(t, id))[0]?.link ?? '')).toBe(served)
  })
})
