import { expect, test } from 'vitest'
import { encodeUtf8 } from './utf8.ts'

/** Long enough for a slab of its own. */
const long = 120_000

test.each([
  ['empty text', ''],
  ['ASCII', 'Lunch is served'],
  ['Latin-1', 'Zürich, café'],
  ['one character beyond Latin-1, at the end', `${'ü'.repeat(10)}—`],
  ['an emoji, which is two UTF-16 code units', 'Lunch 👍 is served'],
  ['long ASCII', 'a'.repeat(3 * long)],
  ['long Latin-1', 'é'.repeat(3 * long)],
  ['long text of three bytes per character', '漢'.repeat(long)],
  ['long text of three and four bytes per character', '漢字👍'.repeat(long)],
  ['control characters, and characters whose bytes look like them', '\u0001\u0100\u2014'],
])('a text is encoded as UTF-8: %s', (_, text) => {
  const bytes = encodeUtf8('[{"data":', text, ',"ü"}]')
  expect(bytes.equals(Buffer.from(`[{"data":${text},"ü"}]`))).toBe(true)
})

test('a long text has a buffer of its own, without room for others', () => {
  expect(encodeUtf8('', 'a'.repeat(3 * long), '').buffer.byteLength).toBe(3 * long)
})

test('encoded bytes are not overwritten by later ones', () => {
  const texts = Array.from({ length: 1_000 }, (_, nth) => `${nth} ${'é'.repeat((nth * 37) % 2_000)}`)
  const bytes = texts.map((text) => encodeUtf8('', text, ''))
  expect(bytes.map(String)).toEqual(texts)
})
