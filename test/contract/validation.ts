import { expect } from 'vitest'
import type { SpecifiedOperationName } from '../../src/contract/index.ts'
import { defaultLimits } from '../../src/contract/limits.ts'
import type { TestApp } from '../app.ts'
import { examples, type Members, names, operationOf, pixel, schemasOf, withBody } from './examples.ts'
import { requestFor, send } from './requests.ts'
import { expectFailure } from './responses.ts'

/** Each integer in a path, with its minimum. */
export const integerParams = names.flatMap((name) =>
  Object.entries(schemasOf(operationOf(name).params)).flatMap(([param, { type }]) =>
    type === 'integer' ? [[name, param, param === 'offset' || param === 'limit' ? 0 : 1] as const] : [],
  ),
)

export const invalidIntegers = (minimum: number): (string | number)[] => [
  ...[minimum - 1, 2 ** 53, 'abc', -1, '1.5', '1e3', ' 1', '९', '0x1', '9'.repeat(400)],
]

export async function expectInvalidParam(
  t: TestApp,
  name: SpecifiedOperationName,
  param: string,
  value: string | number,
): Promise<void> {
  const response = await send(t, requestFor(name, { params: { [param]: value } }))
  const { fields } = await expectFailure(response, 'VALIDATION_FAILED')
  expect(fields).toMatchObject([{ field: param, in: 'path', reason: 'NOT_AN_INTEGER' }])
}

/** A value, and the reason why a member refuses it. */
export type InvalidValue = [value: unknown, reason: string]

export const bodyMembers = withBody.flatMap((name) =>
  Object.keys(schemasOf(operationOf(name).body)).map((member) => [name, member] as const),
)

export function invalidValuesOf(name: SpecifiedOperationName, member: string): InvalidValue[] {
  if (member === 'uploaded_files') return invalidUploads
  const schema = schemasOf(operationOf(name).body)[member] ?? {}
  const invalid = (reason: string, ...values: unknown[]) => values.map((value): InvalidValue => [value, reason])
  if (schema.type === 'integer')
    return invalid('NOT_AN_INTEGER', ...['x', '-1', '1.5', '0x1', '9'.repeat(30), 1.5, -1, 2 ** 53], ...notScalar, true)
  const limit = defaultLimits[schema['x-limit'] as keyof typeof defaultLimits]
  return [
    ...invalid('NOT_A_STRING', true, [], {}, ['x'], { x: 'y' }),
    ...invalid('TOO_LONG', 'x'.repeat(limit + 1), '😀'.repeat(limit + 1), `e${'\u0301'.repeat(limit)}`),
    ...invalid('NOT_TEXT', 'a\0b', 'a\ud800', '\udc00b'),
    ...(schema['x-accepts-number'] ? [] : invalid('NOT_A_STRING', 5)),
    ...(schema.pattern ? invalid('BLANK', '', ' ', '\t\n\u3000') : []),
  ]
}

const notScalar = [[], {}, [1], { a: 1 }]

const invalidFiles: unknown[] = [
  ...[5, null, [], {}, { name: 'x' }, { link: 5 }, { data: 5 }, 'x', 'ftp://summit.example/a', 'javascript:alert(1)'],
  ...['https://', 'https://a/\0', 'https://a/\ud800', 'https://a/\n', `https://a/${'x'.repeat(defaultLimits.link)}`],
  ...['data:', 'data:image/png;base64', 'data:image/png;base64,*', 'data:,%zz', { link: 'file:///etc/passwd' }],
  ...[{ data: '*' }, { data: 'A' }, { data: pixel, name: 'x'.repeat(256) }, { data: pixel, fileType: 'text/\0' }],
]
const invalidUploads: InvalidValue[] = [
  [5, 'NOT_AN_ARRAY'],
  [true, 'NOT_AN_ARRAY'],
  [{ link: 'https://cdn.summit.example/a' }, 'NOT_AN_ARRAY'],
  ...invalidFiles.map((element): InvalidValue => [[element], 'NOT_A_FILE']),
]

/** Only JSON has values other than text, and lone surrogates. */
export const hasForm = (value: unknown): boolean => typeof value === 'string' && value.isWellFormed()

export type Encode = (members: Members) => { headers: Record<string, string>; body: string | Uint8Array }

export async function expectInvalidMember(
  t: TestApp,
  name: SpecifiedOperationName,
  member: string,
  [value, reason]: InvalidValue,
  encode: Encode,
): Promise<void> {
  const request = { ...requestFor(name), ...encode({ ...examples[name].body, [member]: value }) }
  const { fields } = await expectFailure(await send(t, request), 'VALIDATION_FAILED')
  const field = reason === 'NOT_A_FILE' ? `${member}[0]` : member
  expect(fields, JSON.stringify(value).slice(0, 50)).toMatchObject([{ field, in: 'body', reason }])
}
