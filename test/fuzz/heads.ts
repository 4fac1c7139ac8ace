import fc from 'fast-check'
import { edges, id, text } from './values.ts'

// Paths and headers as Latin-1 text, in which each character is a byte.

export const segment = fc.oneof(
  { weight: 20, arbitrary: id.map(String) },
  {
    weight: 2,
    arbitrary: fc.oneof(
      edges.map(String),
      text.map((value) => encodeURIComponent(value.toWellFormed())),
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom(..."%2fFz.0;:@&=+$,~!*'()") }) },
)
export const headerText = fc.string({
  // A header value has no control characters (RFC 9110, 5.5).
  unit: fc.integer({ min: 0x20, max: 0xff }).map((byte) => (byte === 0x7f ? '\t' : String.fromCharCode(byte))),
  maxLength: 300,
})
const ordinaryHeader = fc
  .constantFrom('Accept', 'Range', 'If-None-Match', 'If-Range', 'Idempotency-Key', 'Cookie', 'Expect')
  .chain((name) => fc.tuple(fc.constant(name), fc.oneof(headerText, fc.constantFrom(...(usual[name] ?? ['x'])))))
const usual: Record<string, string[]> = {
  Accept: ['application/problem+json', 'application/problem+json;q=0.5, */*', 'text/html', ';q=,,'],
  Range: ['bytes=0-', 'bytes=-1', 'bytes=0-0,1-1', 'bytes=9-1', 'bytes=99999999999999999999-'],
  'If-None-Match': ['*', 'W/"x", "y"', '"'],
  'Idempotency-Key': ['a', 'b', 'c', 'x'.repeat(256)],
  Expect: ['100-continue', 'x'],
}
const oddHeader = fc.tuple(
  fc.constantFrom(
    ...[
      'Content-Length',
      'Transfer-Encoding',
      'Host',
      'Content-Encoding',
      'Upgrade',
      'Connection',
      'Trailer',
      'X-\xff',
    ],
  ),
  fc.oneof(
    headerText,
    fc.constantFrom('0', '1', '-1', '9'.repeat(20), 'chunked', 'gzip, chunked', 'identity', 'h2c', 'a\0b', 'a\rb'),
  ),
)
export const headers = fc.tuple(
  fc.array(ordinaryHeader, { maxLength: 3 }),
  fc.oneof(
    { weight: 9, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(oddHeader, { minLength: 1, maxLength: 2 }) },
  ),
)
