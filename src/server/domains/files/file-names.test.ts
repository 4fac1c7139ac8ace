import { describe, expect, test } from 'vitest'
import { setUpSharedApp } from '../../../../test/shared-app.ts'
import { bytesOf, filesOf, form, json, nameIn, pixel, post } from './uploads.fixtures.ts'

describe('the name of a file', () => {
  const app = setUpSharedApp()

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
    [
      'both notations of .NET',
      `filename="=?utf-8?B?UHJvZ3JhbW3DvGJlcnNpY2h0LnR4dA==?="; filename*=utf-8''Programm%C3%BCbersicht.txt`,
      'Programmübersicht.txt',
    ],
    ['Base64', 'filename="=?utf-8?B?UHJvZ3JhbW3DvGJlcnNpY2h0LnR4dA==?="', 'Programmübersicht.txt'],
    ['Base64 and no quotes', 'filename==?UTF-8?b?w7wudHh0?=', 'ü.txt'],
    ['quoted-printable', 'filename="=?iso-8859-1?Q?=FCber_uns=2Etxt?="', 'über uns.txt'],
    ['a language', 'filename="=?utf-8*de?Q?=C3=BC?=.txt"', 'ü.txt'],
    ['a letter in two encoded words', 'filename="=?utf-8?Q?a=C3?=\r\n =?utf-8?Q?=BC.txt?="', 'aü.txt'],
    ['charsets that differ by word', 'filename="=?utf-8?Q?=C3=BC?= =?iso-8859-1?Q?=FC.txt?="', 'üü.txt'],
    ['a path in an encoded word', 'filename="=?utf-8?B?Li4vYS50eHQ=?="', 'a.txt'],
    ['an encoded word of an unknown charset', 'filename="=?x-y?Q?a?=.txt"', '=x-yQa=.txt'],
    ['an encoded word with invalid bytes', 'filename="=?utf-8?Q?=FC?=.txt"', '=utf-8Q=FC=.txt'],
    ['percent-encoding, as browsers write quotes', 'filename="%22a%22.txt"', '%22a%22.txt'],
    ['both notations', `filename="a_.txt"; filename*=UTF-8''a%C3%BC.txt`, 'aü.txt'],
    ['an extended notation of an unknown charset', `filename="a.txt"; filename*=x''b.txt`, 'a.txt'],
    ['an extended notation that is malformed', `filename*=b.txt; filename="a.txt"`, 'a.txt'],
    ['an extended notation with invalid bytes', `filename="a.txt"; filename*=UTF-8''%FC.txt`, 'a.txt'],
    ['an extended notation that is empty', `filename="a.txt"; filename*=UTF-8''`, 'a.txt'],
    ['only an extended notation, with invalid bytes', `filename*=UTF-8''%FC.txt`, '\uFFFD.txt'],
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
