import { expect, test } from 'vitest'
import { isBlank } from './visible.ts'

test.each(['', ' \t\n', '\u00A0\u3000', '\u200B\u2060', '\uFEFF', '\u202E', '\u3164', '\uFE0F', '\u2800', '\0\u007F'])(
  '%j is blank',
  (text) => expect(isBlank(text)).toBe(true),
)

test.each(['a', '.', '\u200Ba', 'ع', '한', '漢', '🍲', '👩‍💻', '🏳️', '́', '�', '\u{F0000}'])('%j is visible', (text) =>
  expect(isBlank(text)).toBe(false),
)

/** Compares the ranges with the Unicode properties. */
test('of the first 65,536 characters, exactly the spaces, controls and ignorable ones are blank', () => {
  const wrong = []
  for (let code = 0; code <= 0xffff; code++) {
    const text = String.fromCharCode(code)
    const isInvisible = /[\p{Z}\p{Cc}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB\u2800]/u.test(text)
    if (isBlank(text) !== isInvisible) wrong.push(code.toString(16))
  }
  expect(wrong).toEqual([])
})
