import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import * as make from '../../../../test/make.ts'
import { setUpSharedApp } from '../../../../test/shared-app.ts'
import { bytesOf, createTopic, filesOf, form, json, nameIn, pixel, plan, post, slides } from './uploads.fixtures.ts'

/** The files of a topic: an external link as it is, a stored file by its name, and the type of each. */
const namesAndTypesOf = async (t: TestApp, topic_id: number) =>
  (await filesOf(t, topic_id)).map(({ link, fileType }) => [
    link.includes('/api/newsfeeds/files/') ? nameIn(link) : link,
    fileType,
  ])

/** Yields the pieces slowly, so that each arrives separately. */
async function* inPieces(pieces: string[]) {
  for (const piece of pieces) {
    yield Buffer.from(piece)
    await sleep(20)
  }
}

describe('the member uploaded_files', () => {
  const app = setUpSharedApp()

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
    await using t = await startTestApp()
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
    await using t = await startTestApp()
    await make.topic(t)
    await make.comment(t, { topic_id: 1 })
    const body = JSON.stringify({ name: 'x', comment: 'x', uploaded_files: [slides] })
    expect(await make.send(t, 'PUT', `/api/newsfeeds/${records}/1/update`, body)).toMatchObject({ response_code: 1000 })
    const [topic] = (await t.client.getTopic({ topic_id: 1 })).NewsFeed
    const files = records === 'topics' ? topic?.content.uploaded_files : topic?.comments[0]?.uploaded_files
    expect(files).toEqual([{ id: '1', link: slides, fileType: 'application/pdf' }])
  })
})
