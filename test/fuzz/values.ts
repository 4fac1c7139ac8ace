import fc from 'fast-check'
import { defaultLimits } from '../../src/contract/limits.ts'
import type { Operation } from '../../src/contract/operation.ts'

export type Members = Record<string, unknown>

// Values of the right type, at its limits, and of other types.

export const id = fc.integer({ min: 1, max: 9 })
export const edges = fc.constantFrom(0, -1, -0, 0.5, 1e21, 2 ** 31, 2 ** 53 - 1, 2 ** 53, Number.MIN_VALUE)
const words = fc.constantFrom(
  ...['', ' ', '\0', '\ud800', '\u202e', '0', '1e3', '٣', 'null', '[]', '__proto__', "'; drop table topic; --"],
)
const lengths = fc.constantFrom(...Object.values(defaultLimits).filter((limit) => limit <= defaultLimits.body))
const long = fc
  .tuple(lengths, fc.constantFrom('x', '😀', 'é'), fc.constantFrom(-1, 0, 1))
  .map(([n, unit, more]) => unit.repeat(n + more))
export const text = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: 'binary' }) },
  { weight: 3, arbitrary: words },
  { weight: 1, arbitrary: long },
)
const anything: fc.Arbitrary<unknown> = fc.oneof(text, edges, id, fc.jsonValue({ maxDepth: 3 }), fc.boolean())

const mediaType = fc.oneof(
  text,
  fc.constantFrom('image/png', 'text/html', 'text/plain; charset=x', 'a/b', 'image/svg+xml'),
)
const link = fc.oneof(
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc
    .tuple(
      fc.constantFrom('https://', 'HTTP://a/', 'ftp://', 'javascript:', 'data:', 'data:image/png;base64,', '//', ''),
      text,
    )
    .map((parts) => parts.join('')),
)
const bytes = fc.oneof(
  fc.base64String(),
  text,
  fc.constantFrom('iVBORw0KGgo=', 'R0lGODlh', 'UEsDBA==', '=', 'PHN2Zz4='),
)
const upload = fc.oneof(
  link,
  fc.record({ link, fileType: mediaType }, { requiredKeys: ['link'] }),
  fc.record({ name: text, fileType: mediaType, data: bytes }, { requiredKeys: ['data'] }),
  anything,
)

const goodUpload = fc.oneof(
  fc.webUrl({ validSchemes: ['http', 'https'] }),
  fc.record({
    name: fc.string({ maxLength: 50 }),
    fileType: fc.constantFrom('text/html', 'a/b', ''),
    data: fc.base64String(),
  }),
)
const uploads = fc.oneof(fc.array(goodUpload, { maxLength: 3 }), fc.array(upload, { maxLength: 12 }))

/** A value for a member, mostly of the right type, so that many requests are valid. */
function valueFor(name: string, schema: Members): fc.Arbitrary<unknown> {
  if (name === 'uploaded_files') return fc.oneof({ weight: 9, arbitrary: uploads }, { weight: 1, arbitrary: anything })
  const right = schema.type === 'integer' ? id : fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 })
  return fc.oneof({ weight: 40, arbitrary: right }, { weight: 1, arbitrary: anything })
}

const schemasOf = (schema: Operation['body']): [string, Members][] =>
  Object.entries(schema?.properties ?? {}).map(([name, member]) => [name, { ...member }])

export function membersOf({ body }: Operation): fc.Arbitrary<Members> {
  const values = Object.fromEntries(schemasOf(body).map(([name, schema]) => [name, valueFor(name, schema)]))
  const own = fc.oneof(
    { weight: 4, arbitrary: fc.record(values) },
    { weight: 1, arbitrary: fc.record(values, { requiredKeys: [] }) },
  )
  const names = fc.oneof(text, fc.constantFrom('id', 'is_deleted', 'constructor', '__proto__', 'files', 'topic_id'))
  const others = fc.dictionary(names, anything, { maxKeys: 2 })
  return fc.tuple(own, others).map(([own, others]) => ({ ...others, ...own }))
}
