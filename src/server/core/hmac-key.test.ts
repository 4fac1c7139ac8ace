import { describe, expect, test } from 'vitest'
import { HmacKey } from './hmac-key.ts'

describe('the code of a text', () => {
  // RFC 4231, 4.2 and 4.3.
  test.each([
    ['0b'.repeat(20), 'Hi There', 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7'],
    ['4a656665', 'what do ya want for nothing?', '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843'],
  ])('with the key %s is that of RFC 4231', (digits, text, code) => {
    expect(HmacKey.fromHex(digits).digest(text)).toBe(code)
  })
})

test('a key equals one of the same bytes only, and becomes its hex digits again', () => {
  const digits = '5a'.repeat(32)
  expect(HmacKey.fromHex(digits).equals(HmacKey.fromHex(digits))).toBe(true)
  expect(HmacKey.fromHex(digits).equals(HmacKey.fromHex('5b'.repeat(32)))).toBe(false)
  expect(HmacKey.fromHex(digits).toHex()).toBe(digits)
})

test('a key of more than 64 bytes is rejected', () => {
  expect(() => new HmacKey(Buffer.alloc(65))).toThrow('The key has 65 bytes; the limit is 64.')
})
