import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { carriedTypes } from './container-types.ts'
import { detectMediaType, extensionOf, isSafeImage, mediaTypeOfName, servedMediaType } from './media-type.ts'

const picture = () => sharp({ create: { width: 8, height: 8, channels: 3, background: '#888' } })

describe('bytes with a signature', () => {
  test.each([
    ['png', 'image/png'],
    ['jpeg', 'image/jpeg'],
    ['gif', 'image/gif'],
    ['webp', 'image/webp'],
    ['avif', 'image/avif'],
  ] as const)('%s is %s, regardless of the declared type', async (format, type) => {
    const bytes = await picture().toFormat(format).toBuffer()
    for (const declared of [undefined, 'text/html', 'image/svg+xml', 'application/json']) {
      expect(await detectMediaType(bytes, declared)).toBe(type)
    }
  })

  test.each([
    ['%PDF-1.7\n', 'image/png', 'application/pdf'],
    ['PK\x03\x04\x14\0\0\0\0\0', 'text/plain', 'application/zip'],
    ['<?xml version="1.0"?><svg/>', 'image/png', 'application/xml'],
  ])('%j declared %s is %s', async (bytes, declared, type) => {
    expect(await detectMediaType(Buffer.from(bytes, 'latin1'), declared)).toBe(type)
  })

  test('an animated PNG is image/png', async () => {
    const png = await picture().png().toBuffer()
    const control = Buffer.from('000000086163544c00000002000000000000' + '0000', 'hex')
    const animated = Buffer.concat([png.subarray(0, 33), control, png.subarray(33)])
    expect(await detectMediaType(animated, undefined)).toBe('image/png')
  })
})

describe('the bytes of a container', () => {
  const ole = Buffer.from('d0cf11e0a1b11ae1'.padEnd(1024, '0'), 'hex')
  const zip = Buffer.from('PK\x03\x04\x14\0\0\0\0\0', 'latin1')
  const zipOf = (name: string) =>
    Buffer.concat([
      Buffer.from(`504b03041400${'00'.repeat(20)}${name.length.toString(16).padStart(2, '0')}000000`, 'hex'),
      Buffer.from(name),
    ])
  const iso = (brand: string) => Buffer.from(`\0\0\0\x18ftyp${brand}\0\0\0\0isommp42\0\0\0\0`, 'latin1')
  const matroska = (type: string) =>
    Buffer.concat([
      Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x80 + type.length + 3, 0x42, 0x82, 0x80 + type.length]),
      Buffer.from(type),
    ])
  const ogg = (codec: string) => Buffer.from(`OggS${'\0'.repeat(24)}${codec}${'\0'.repeat(40)}`, 'latin1')
  const asf = Buffer.from(
    `3026b2758e66cf11a6d900aa0062ce6c${'00'.repeat(14)}9107dcb7b7a9cf118ee600c00c2053654e00000000000000409e69f84d5bcf11a8fd00805f5c442b${'00'.repeat(38)}`,
    'hex',
  )
  const openXml = 'application/vnd.openxmlformats-officedocument'

  test.each([
    [ole, 'application/x-cfb', 'application/msword'],
    [ole, 'application/x-cfb', 'Application/vnd.ms-powerpoint; charset=binary'],
    [ole, 'application/x-cfb', 'application/vnd.ms-excel'],
    [ole, 'application/x-cfb', 'application/vnd.ms-outlook'],
    [ole, 'application/x-cfb', `${openXml}.wordprocessingml.document`],
    [zip, 'application/zip', `${openXml}.wordprocessingml.document`],
    [zip, 'application/zip', `${openXml}.spreadsheetml.sheet`],
    [zip, 'application/zip', `${openXml}.presentationml.presentation`],
    [zip, 'application/zip', 'application/vnd.ms-excel.sheet.macroEnabled.12'],
    [zip, 'application/zip', 'application/vnd.oasis.opendocument.text'],
    [zip, 'application/zip', 'application/epub+zip'],
    [zip, 'application/zip', 'application/java-archive'],
    [zip, 'application/zip', 'application/vnd.apple.keynote'],
    [zipOf('META-INF/MANIFEST.MF'), 'application/java-archive', 'application/vnd.android.package-archive'],
    [matroska('webm'), 'video/webm', 'audio/webm'],
    [matroska('matroska'), 'video/matroska', 'audio/x-matroska'],
    [iso('isom'), 'video/mp4', 'audio/mp4'],
    [iso('mp42'), 'video/mp4', 'video/3gpp'],
    [iso('M4A '), 'audio/x-m4a', 'audio/mp4'],
    [iso('3gp4'), 'video/3gpp', 'audio/3gpp'],
    [iso('miaf'), 'video/mp4', 'image/avif'],
    [iso('mif1'), 'image/heif', 'image/heic'],
    [ogg('fishead'), 'application/ogg', 'audio/ogg'],
    [ogg('OpusHead'), 'audio/ogg', 'audio/opus'],
    [asf, 'audio/x-ms-asf', 'audio/x-ms-wma'],
  ])('keep a declared type that it carries (%#)', async (bytes, container, declared) => {
    expect(await detectMediaType(bytes, undefined)).toBe(container)
    expect(await detectMediaType(bytes, declared)).toBe(declared.split(';')[0]?.toLowerCase())
  })

  test.each([
    [zipOf('word/document.xml'), `${openXml}.wordprocessingml.document`, `${openXml}.spreadsheetml.sheet`],
    [iso('heic'), 'image/heic', 'image/avif'],
    [iso('qt  '), 'video/quicktime', 'audio/mp4'],
    [ole, 'application/x-cfb', 'application/epub+zip'],
    [zip, 'application/zip', 'application/msword'],
    [ogg('OpusHead'), 'audio/ogg', 'audio/mp4'],
    [Buffer.from('%PDF-1.7\n'), 'application/pdf', 'application/msword'],
  ])('override any other declared type (%#)', async (bytes, detected, declared) => {
    expect(await detectMediaType(bytes, declared)).toBe(detected)
  })

  test('never make active content of it', async () => {
    const carried = [...carriedTypes.values()].flatMap((types) => [...types])
    expect(carried.filter((type) => /html|svg|script|\+xml$|\/xml$|^text\//.test(type))).toEqual([])
    const active = ['text/html', 'image/svg+xml', 'application/xhtml+xml', 'text/xml', 'application/xml', 'text/css']
    const scripts = ['text/javascript', 'application/javascript', 'application/wasm', 'multipart/related']
    for (const bytes of [
      ole,
      zip,
      zipOf('index.html'),
      matroska('webm'),
      iso('isom'),
      iso('mif1'),
      ogg('OpusHead'),
      asf,
    ])
      for (const declared of [...active, ...scripts])
        expect(await detectMediaType(bytes, declared)).toBe(await detectMediaType(bytes, undefined))
  })
})

describe('bytes without a signature', () => {
  test.each([
    ['text/plain', 'text/plain'],
    ['Text/CSV; charset=UTF-8', 'text/csv'],
    ['text/html', 'text/html'],
    ['application/json;x=1', 'application/json'],
    ['image/png', 'application/octet-stream'],
    ['image/svg+xml', 'application/octet-stream'],
    ['application/javascript', 'application/octet-stream'],
    ['application/json5', 'application/octet-stream'],
    ['text/', 'application/octet-stream'],
    ['text/a b', 'application/octet-stream'],
    ['text/a\r\nSet-Cookie: x', 'application/octet-stream'],
    ['text/a/b', 'application/octet-stream'],
    [`text/${'a'.repeat(128)}`, 'application/octet-stream'],
    ['', 'application/octet-stream'],
    [undefined, 'application/octet-stream'],
  ])('declared %j are %s', async (declared, type) => {
    for (const bytes of ['', 'x', '<svg onload="alert(1)">', '<!doctype html><script>']) {
      expect(await detectMediaType(Buffer.from(bytes), declared)).toBe(type)
    }
  })
})

test('only image formats that cannot contain scripts are safe', () => {
  const types = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/svg+xml', 'text/html', '']
  expect(types.map(isSafeImage)).toEqual([true, true, true, true, true, false, false, false])
})

test('no type that browsers run as a script is served', () => {
  // https://mimesniff.spec.whatwg.org/#javascript-mime-type
  const names = ['ecmascript', 'javascript', 'x-ecmascript', 'x-javascript']
  const versions = [
    'javascript1.0',
    'javascript1.1',
    'javascript1.2',
    'javascript1.3',
    'javascript1.4',
    'javascript1.5',
  ]
  const texts = [...names, ...versions, 'jscript', 'livescript'].map((name) => `text/${name}`)
  for (const type of [...texts, ...names.map((name) => `application/${name}`)])
    expect([type, servedMediaType(type)]).toEqual([type, 'text/plain'])
  for (const type of ['text/html', 'text/css', 'text/typescript', 'application/json', 'image/png'])
    expect(servedMediaType(type)).toBe(type)
})

test.each([
  ['slides.PDF', 'application/pdf'],
  ['a.b.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['https://example.com/talks/slides.pdf?dl=1#p2', 'application/pdf'],
  ['https://example.com', undefined],
  ['https://example.com/?file=a.pdf', undefined],
  ['https://', undefined],
  ['pdf', undefined],
  ['.pdf', undefined],
  ['file.', undefined],
  ['file.unheard-of', undefined],
  ['', undefined],
])('the name %j suggests %s', (name, type) => {
  expect(mediaTypeOfName(name)).toBe(type)
})

test('a known type has an extension, another one has none', () => {
  const types = ['image/jpeg', 'image/png', 'text/plain', 'application/x-unheard-of', '']
  expect(types.map(extensionOf)).toEqual(['jpg', 'png', 'txt', undefined, undefined])
})
