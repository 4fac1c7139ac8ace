import { expect, test } from 'vitest'
import { utf8Of } from './utf8.ts'

/** So many characters of Latin-1 are turned at once; of three bytes each they would be too many for that. */
const long = 120_000

test.each([
  ['nothing', ''],
  ['ASCII', 'Lunch is served'],
  ['Latin-1', 'Zürich, café'],
  ['one character beyond, at the end', `${'ü'.repeat(10)}—`],
  ['an emoji, which is two units', 'Lunch 👍 is served'],
  ['ASCII that is long', 'a'.repeat(3 * long)],
  ['Latin-1 that is long', 'é'.repeat(3 * long)],
  ['what takes three bytes a character and is long', '漢'.repeat(long)],
  ['what is beyond and longer', '漢字👍'.repeat(long)],
  ['control characters, which a wide one looks like when it is halved', '\u0001\u0100\u2014'],
])('the bytes of a text are those of UTF-8: %s', (_, text) => {
  const bytes = utf8Of('[{"data":', text, ',"ü"}]')
  expect(bytes.equals(Buffer.from(`[{"data":${text},"ü"}]`))).toBe(true)
})

test('a text that is long takes no memory for others', () => {
  expect(utf8Of('', 'a'.repeat(3 * long), '').buffer.byteLength).toBe(3 * long)
})

test('bytes stay as they are when others are made, however many', () => {
  const texts = Array.from({ length: 1_000 }, (_, nth) => `${nth} ${'é'.repeat((nth * 37) % 2_000)}`)
  const bytes = texts.map((text) => utf8Of('', text, ''))
  expect(bytes.map(String)).toEqual(texts)
})
