import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
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
