import { createHmac } from 'node:crypto'
import fc from 'fast-check'
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

  test('is that of createHmac, whatever the key and the texts', () => {
    const texts = fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ minLength: 900, maxLength: 2_000 })))
    const key = fc.uint8Array({ minLength: 1, maxLength: 64 })
    fc.assert(
      fc.property(key, texts, (bytes, texts) => {
        const hmacKey = new HmacKey(Buffer.from(bytes))
        for (const text of texts)
          expect(hmacKey.digest(text)).toBe(createHmac('sha256', bytes).update(text).digest('hex'))
      }),
    )
  })

  test('is that of createHmac for lone surrogates', () => {
    const bytes = Buffer.alloc(32, 1)
    for (const text of ['\ud800', 'a\udfff\ud83c\udf72\ud83c'])
      expect(new HmacKey(bytes).digest(text)).toBe(createHmac('sha256', bytes).update(text).digest('hex'))
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
