import fc from 'fast-check'
import type { Operation } from '../../src/contract/operation.ts'
import { encodings, part } from './encodings.ts'
import { headerText } from './heads.ts'
import { membersOf, text } from './values.ts'

// Bodies in every encoding, complete or damaged.

const dispositions = fc.constantFrom(
  ...['name="name"', 'name="uploaded_files[]"; filename="a.png"', 'name="other"; filename="x"', 'filename="x"', 'x'],
  ...['name="uploaded_files"', 'name="uploaded_files"; filename*=UTF-8\'\'%ff%zz', `name="${'n'.repeat(9_000)}"`],
)
const partHeaders = fc.constantFrom(
  ...['', 'no colon', 'Content-Type: application/octet-stream', 'Content-Type: text/plain; charset=utf-16le'],
  ...['Content-Transfer-Encoding: base64', 'Content-Type: multipart/mixed; boundary=b', 'X: y\r\n'.repeat(60)],
)
const piece = fc.oneof(
  fc.constantFrom(...['--b', '--b--', '--b\r\n', '\r\n--b\r\n', '\r\n--b--\r\n', '\r\n', '\n', '--', '--c\r\n']),
  fc
    .tuple(dispositions, text, partHeaders)
    .map(([disposition, value, more]) => part(disposition, value, `${more}\r\n`)),
  text,
)
const malformedMultipart = fc
  .array(fc.oneof(piece, fc.uint8Array({ maxLength: 40 })), { maxLength: 15 })
  .map((pieces) => Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece))))

interface EncodedBody {
  type: string
  body: Buffer
}

const damage = ({ type, body }: EncodedBody): fc.Arbitrary<EncodedBody> =>
  fc.tuple(fc.nat(body.length), fc.nat(20), fc.uint8Array({ maxLength: 8 })).map(([at, cut, inserted]) => ({
    type,
    body: Buffer.concat([body.subarray(0, at), Buffer.from(inserted), body.subarray(at + cut)]),
  }))

export function bodyFor(operation: Operation): fc.Arbitrary<EncodedBody> {
  const type = fc.constantFrom(...Object.keys(encodings))
  const whole = fc
    .tuple(type, membersOf(operation))
    .map(([type, members]) => ({ type, body: encodings[type]?.(members) ?? Buffer.of() }))
  const multipart = ['multipart/form-data', 'multipart/form-data; boundary=', 'multipart/form-data; boundary="']
  const otherTypes = fc.oneof(type, headerText, fc.constantFrom(...multipart, 'application/json; charset=utf-16', ''))
  return fc.oneof(
    { weight: 10, arbitrary: whole },
    { weight: 2, arbitrary: whole.chain(damage) },
    { weight: 4, arbitrary: malformedMultipart.map((body) => ({ type: 'multipart/form-data; boundary=b', body })) },
    { weight: 1, arbitrary: fc.tuple(otherTypes, whole).map(([type, { body }]) => ({ type, body })) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(otherTypes, fc.uint8Array({ maxLength: 200 }))
        .map(([type, bytes]) => ({ type, body: Buffer.from(bytes) })),
    },
  )
}
