import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HmacKey } from './hmac-key.ts'

describe('the code of a text', () => {
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
