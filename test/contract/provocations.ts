import type { TObject } from 'typebox'
import type { FailureReason } from '../../src/contract/failures.ts'
import type { SpecifiedOperationName } from '../../src/contract/index.ts'
import { defaultLimits } from '../../src/contract/limits.ts'
import { failuresOf } from '../../src/contract/openapi.ts'
import { examples, kindOf, operationOf, type SpecifiedExample, schemasOf } from './examples.ts'
import { encodings, requestFor, type TestRequest } from './requests.ts'

type Provocation = (name: SpecifiedOperationName, port: string) => TestRequest[]

/** Not caused by a single request; each has tests of its own. */
const causedOtherwise = new Set<FailureReason>([
  'INTERNAL',
  'UNAVAILABLE',
  'OUTCOME_UNKNOWN',
  'STORAGE_FULL',
  'STORAGE_READ_ONLY',
  'BODY_TOO_SLOW',
  'IDEMPOTENCY_KEY_IN_FLIGHT',
])

/** Requests with an id that no record has, of the kind that the reason names. */
function withUnknownId(name: SpecifiedOperationName, reason: FailureReason): TestRequest[] {
  const kind = /^(\w+)_NOT_FOUND$/.exec(reason)?.[1]?.toLowerCase()
  const { params, body } = operationOf(name)
  const idsIn = (schema: TObject | undefined) =>
    Object.entries(schemasOf(schema)).flatMap(([id, member]) =>
      kindOf(member) === kind && member.minimum === 1 ? [{ [id]: 404 }] : [],
    )
  return [
    ...idsIn(params).map((unknown) => requestFor(name, { params: unknown })),
    ...idsIn(body).map((unknown) => requestFor(name, { body: { ...examples[name].body, ...unknown } })),
  ]
}

const withBodies =
  (...bodies: [contentType: string, body: string][]): Provocation =>
  (name) =>
    bodies.map(([type, body]) => ({ ...requestFor(name), headers: { 'content-type': type }, body }))

const withHeader = (name: SpecifiedOperationName, header: string, value: string): TestRequest => {
  const request = requestFor(name)
  return { ...request, headers: { ...request.headers, [header]: value } }
}

const json = 'application/json'
const urlencoded = 'application/x-www-form-urlencoded'
const multipart = 'multipart/form-data; boundary=frontier'

/** Requests that make any operation fail for these reasons. */
const provocations: Partial<Record<FailureReason, Provocation>> = {
  BAD_REQUEST: (name) => {
    const request = requestFor(name)
    return [
      { ...request, path: request.path.replace(/(?=\?|$)/, '%zz') },
      withHeader(name, 'host', 'evil.example/../x'),
    ]
  },
  UNKNOWN_HOST: (name, port) => [withHeader(name, 'host', `evil.example:${port}`)],
  CROSS_ORIGIN: (name) => [
    withHeader(name, 'sec-fetch-site', 'cross-site'),
    withHeader(name, 'origin', 'https://evil.example'),
  ],
  VALIDATION_FAILED: (name) => {
    const { params, query } = operationOf(name)
    const param = Object.keys(params.properties).find((name) => schemasOf(params)[name]?.type !== 'string')
    if (param !== undefined) return [requestFor(name, { params: { [param]: 'abc' } })]
    const [text] = Object.keys(params.properties)
    if (text !== undefined && !query) return [requestFor(name, { params: { [text]: '\0' } })]
    const request = requestFor(name, { body: {} })
    return [query ? { ...request, path: `${request.path.replace(/\?.*/, '')}?unknown=abc` } : request]
  },
  MALFORMED_JSON: withBodies([json, '{"name":'], [json, ''], [json, "{'a':1}"]),
  MALFORMED_FORM: withBodies(
    [urlencoded, 'name=%zz'],
    [urlencoded, 'name=%ff'],
    ['multipart/form-data', '--frontier--'],
    [multipart, ''],
    [multipart, 'not a form'],
    [multipart, '--frontier\r\nContent-Disposition: form-data; name="name"\r\n\r\nLun'],
  ),
  UNSUPPORTED_MEDIA_TYPE: withBodies(['text/plain', 'name=x'], ['application/xml', '<name/>'], ['nonsense', 'x']),
  TOO_LARGE: withBodies(
    [json, JSON.stringify({ name: 'x'.repeat(defaultLimits.jsonBytes) })],
    [urlencoded, `name=${'x'.repeat(defaultLimits.jsonBytes)}`],
  ),
  TOO_MANY_FILES: (name) => {
    const links = Array.from({ length: defaultLimits.files + 1 }, (_, n) => `https://cdn.summit.example/${n}`)
    const body = { ...examples[name].body, uploaded_files: links }
    return Object.values(encodings).map((encode) => ({ ...requestFor(name), ...encode(body) }))
  },
  IDEMPOTENCY_KEY_REUSED: (name) => [withHeader(name, 'idempotency-key', 'taken')],
}

/** The failures that an operation declares, each with requests that cause it: of its example, or by the contract. */
export function provocationsOf(
  name: SpecifiedOperationName,
  port: string,
): { reason: FailureReason; requests: TestRequest[] }[] {
  const { fails = {} }: SpecifiedExample = examples[name]
  return failuresOf(operationOf(name), 'open')
    .filter((reason) => !causedOtherwise.has(reason))
    .map((reason) => {
      const own = fails[reason]
      const requests = own ? [requestFor(name, own)] : provocations[reason]?.(name, port)
      return { reason, requests: requests ?? withUnknownId(name, reason) }
    })
}
