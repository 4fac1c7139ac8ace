import fc from 'fast-check'
import { expect, test } from 'vitest'
import { breakLines } from './line-breaks.ts'

// Every character is one em wide, so ten characters of size 10 fill a line of 100 pixels.
const widthOf = (text: string) => Array.from(text).length
const box = { width: 100, maxLines: 3, sizes: [20, 10] }

test.each([
  ['short', 20, ['short']],
  ['a bb ccc', 20, ['a bb', 'ccc']],
  ['one two three', 20, ['one', 'two', 'three']],
  ['aaaaaa bbb', 10, ['aaaaaa bbb']],
  ['aaaa bbbb c', 20, ['aaaa', 'bbbb', 'c']],
  ['aaaaaaa bbb ccc', 10, ['aaaaaaa', 'bbb ccc']],
  ['aaaaaa b — cccccc', 10, ['aaaaaa b —', 'cccccc']],
  ['abcdefghijklmno', 10, ['abcdefghij', 'klmno']],
  ['aaaaaaaaa bbbbbbbbb ccccccccc ddd', 10, ['aaaaaaaaa', 'bbbbbbbbb', 'ccccccccc…']],
  ['aaaaaaaaa bbbbbbbbb ccccc dd, ee', 10, ['aaaaaaaaa', 'bbbbbbbbb', 'ccccc dd…']],
])('%j is set at size %i', (text, size, lines) => {
  expect(breakLines(text, box, widthOf)).toEqual({ size, lines })
})

test('any text stays within the box and, unless truncated, keeps all characters', () => {
  const text = fc.array(
    fc.string({ minLength: 1, maxLength: 14 }).map((word) => word.replace(/\s/g, 'x')),
    { minLength: 1 },
  )
  fc.assert(
    fc.property(text, (words) => {
      const { lines, size } = breakLines(words.join(' '), box, widthOf)
      expect(lines.length).toBeLessThanOrEqual(3)
      for (const line of lines) expect(widthOf(line) * size).toBeLessThanOrEqual(100)
      if (!lines.at(-1)?.endsWith('…')) expect(lines.join('').replaceAll(' ', '')).toBe(words.join(''))
    }),
  )
})
