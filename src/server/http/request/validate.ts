import type { TObject } from 'typebox'
import Type from 'typebox'
import type { FailedField } from '../../../contract/envelope.ts'
import { type Limits, withLimits } from '../../../contract/limits.ts'
import type { Operation } from '../../../contract/operation.ts'
import { fileMember, uploadsMember } from '../../../contract/uploads.ts'
import { isTimeZone } from '../../config/formats.ts'
import { toOneLine } from '../../core/clean-text.ts'
import { isDay } from '../../core/clock.ts'
import { compileSchema, type SchemaError } from '../../core/compile-schema.ts'
import { bodyField } from '../../core/failure.ts'
import { isHttpUrl, isPhoto } from '../../core/links.ts'

type Members = Readonly<Record<string, unknown>>

/** Members of a request, converted to their types; `fields` lists every invalid one. */
export interface CheckedValues {
  readonly values: Members
  readonly fields: readonly FailedField[]
}

/** Rejects NUL, which not every engine can store, and lone surrogates, which are not text. */
const isText = (value: string): boolean => value.isWellFormed() && !value.includes('\0')

const orEmpty = (isValid: (value: string) => boolean) => (value: string) => value === '' || isValid(value)

const isLocalTime = (value: string): boolean => {
  const [, day = '', time = ''] = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d)?)$/.exec(value) ?? []
  return isDay(day) && /^([01]\d|2[0-3])(:[0-5]\d){1,2}$/.test(time)
}

/** A link for everyone to read: a password in it would be theirs, and a user name looks like the host. */
function isPublicLink(value: string): boolean {
  const url = isHttpUrl(value) && !/[\s\p{Cc}]/u.test(value) ? new URL(value) : undefined
  return url !== undefined && url.username === '' && url.password === ''
}

const formats = {
  text: isText,
  photo: (value: string) => isText(value) && isPhoto(value),
  'local-time': orEmpty(isLocalTime),
  'local-day': orEmpty(isDay),
  zone: orEmpty(isTimeZone),
  color: orEmpty((value) => /^#[0-9a-f]{6}$/i.test(value)),
  link: orEmpty((value) => isText(value) && isPublicLink(value)),
}

/** What a string of these formats is not, if it is text. */
const wrongFormats: Readonly<Record<string, { reason: FailedField['reason']; what: string }>> = {
  photo: { reason: 'NOT_A_PHOTO', what: 'an http or https URL or a stored path' },
  'local-time': { reason: 'NOT_A_TIME', what: 'a time at the venue such as 2030-05-01 09:00, without an offset' },
  'local-day': { reason: 'NOT_A_DATE', what: 'a date such as 2030-05-01' },
  zone: { reason: 'NOT_A_TIME_ZONE', what: 'a time zone such as Europe/Berlin' },
  color: { reason: 'NOT_A_COLOR', what: 'a colour such as #0b57d0' },
  link: { reason: 'NOT_A_URL', what: 'an http or https URL without a user name' },
}

/**
 * Compiles the checks of an operation's parameters and members: unknown members are ignored, integers may be given as
 * digits, booleans as words, and `null` for an optional member, or an empty string for an optional number, counts as
 * absent; so it is within lists and objects. A form has a list as a field that is repeated, of which there may be one, and
 * an object as JSON. Uploads are not checked here; see `domains/files/uploads.ts`.
 */
export function compileChecks(operation: Operation, limits: Limits): Checks {
  const checkBody = compileMembers(
    withLimits(operation.body ? withoutUploads(operation.body) : Type.Object({}), limits),
    'body',
  )
  return {
    path: compileMembers(withLimits(operation.params, limits), 'path'),
    query: compileMembers(withLimits(operation.query ?? Type.Object({}), limits), 'query'),
    body: (members) => {
      if (!members) return { values: {}, fields: [notAnObject] }
      const { values, fields } = checkBody(members)
      const isMissing = operation.anyOf?.some((name) => name in values) === false
      return { values, fields: isMissing ? [...fields, noneOf(operation.anyOf)] : fields }
    },
  }
}

/**
 * The checks of an operation's parameters and of its body's members, undefined for a body that is not an object.
 */
export interface Checks {
  path(params: Members): CheckedValues
  query(params: Members): CheckedValues
  body(members: Members | undefined): CheckedValues
}

const notAnObject = bodyField('', 'NOT_AN_OBJECT', 'The body must be a JSON object.')

const noneOf = (names: readonly string[] = []): FailedField =>
  bodyField(names[0] ?? '', 'REQUIRED', `One of ${names.join(' and ')} is required.`)

/** Without the members that are files. */
const withoutUploads = (body: TObject): TObject => {
  const members = [uploadsMember, fileMember].filter((member) => member in body.properties)
  return members.length > 0 ? Type.Omit(body, members) : body
}

function compileMembers(schema: TObject, location: FailedField['in']): (source: Members) => CheckedValues {
  // Compiled at first use: to compile all schemas at start would take ten milliseconds.
  let compiled: ReturnType<typeof compileSchema> | undefined
  const read = memberReader(schema)
  return (source) => {
    const values = read(source)
    compiled ??= compileSchema(schema, formats)
    const fields = compiled.Check(values) ? [] : collectFailedFields(compiled.Errors(values), values, schema, location)
    return { values, fields }
  }
}

/** Creates a reader of the known members of an object, converted to their types. */
function memberReader(schema: Pick<TObject, 'properties' | 'required'>): (source: Members) => Members {
  const required = new Set<string>(schema.required ?? [])
  const members = Object.entries(schema.properties).map(([name, member]) => {
    const known: Members = { ...member }
    return { name, known, read: valueReader(known) }
  })
  return (source) => {
    const values: Record<string, unknown> = {}
    for (const { name, known, read } of members) {
      const value = Object.hasOwn(source, name) ? source[name] : undefined
      if (value === undefined || (!required.has(name) && isAbsent(value, known))) continue
      values[name] = read(value)
    }
    return values
  }
}

function valueReader(schema: Members): (value: unknown) => unknown {
  if (schema.type === 'array') {
    const read = valueReader(schema.items as Members)
    return (value) => {
      if (Array.isArray(value)) return value.map(read)
      // Forms send a single element as it is, and an empty one for none.
      if (typeof value === 'string') return value === '' ? [] : [read(value)]
      return value
    }
  }
  if (schema.type === 'object') {
    const read = memberReader(schema as unknown as TObject)
    return (value) => {
      const given = typeof value === 'string' ? parseObject(value) : value
      return isObject(given) ? read(given) : value
    }
  }
  return (value) => coerce(value, schema)
}

function parseObject(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Clients return the nulls that they have read, and forms send an empty field for a number that was not entered. */
const isAbsent = (value: unknown, schema: Members): boolean =>
  value === null || (value === '' && schema.type === 'integer')

function coerce(value: unknown, schema: Members): unknown {
  if (schema.type === 'integer' && typeof value === 'string' && /^(?:\d+|-[1-9]\d*)$/.test(value))
    return clamp(Number(value), schema)
  if (schema.type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  if (schema['x-one-line'] && typeof value === 'string' && isText(value)) return toOneLine(value)
  if (schema['x-accepts-number'] && typeof value === 'number' && Number.isFinite(value)) return String(value)
  return value
}

/** Reduces a valid number to the one that has the same effect, so that both count as the same request. */
const clamp = (value: number, { maximum, 'x-clamped-to': most }: Members): number =>
  typeof most === 'number' && value <= Number(maximum) ? Math.min(value, most) : value

/** Returns one entry per invalid member, with its first error; one of a list by its place, as `rooms[2].name`. */
function collectFailedFields(
  errors: SchemaError[],
  values: Members,
  schema: TObject,
  location: FailedField['in'],
): FailedField[] {
  const failed = new Map<string, FailedField>()
  for (const error of errors) {
    const path = error.instancePath.split('/').slice(1)
    const paths = error.keyword === 'required' ? error.params.requiredProperties.map((name) => [...path, name]) : [path]
    for (const [first = '', ...rest] of paths) {
      const field = rest.reduce((name, step) => (/^\d+$/.test(step) ? `${name}[${step}]` : `${name}.${step}`), first)
      if (failed.has(field)) continue
      let [member, value]: [Members, unknown] = [{ ...schema.properties[first] }, values[first]]
      for (const step of rest) {
        member = ((member.properties as Members | undefined)?.[step] ?? member.items ?? {}) as Members
        value = (value as Members | undefined)?.[step]
      }
      failed.set(field, { field, in: location, ...explain(error.keyword, field, member, value) })
    }
  }
  return [...failed.values()]
}

function explain(
  keyword: string,
  field: string,
  schema: Members,
  value: unknown,
): Pick<FailedField, 'reason' | 'message'> {
  switch (keyword) {
    case 'required':
      return { reason: 'REQUIRED', message: `${field} is required.` }
    case 'maxLength':
      return { reason: 'TOO_LONG', message: `${field} may have at most ${schema.maxLength} characters.` }
    case 'maxItems':
      return { reason: 'TOO_MANY', message: `${field} may have at most ${schema.maxItems} entries.` }
    case 'uniqueItems':
      return { reason: 'REPEATED', message: `${field} must not name anything twice.` }
    case 'pattern':
      return { reason: 'BLANK', message: `${field} must not be blank.` }
    case 'enum':
      return { reason: 'UNKNOWN', message: `${field} must be one of ${(schema.enum as string[]).join(', ')}.` }
    case 'format': {
      const wrong = wrongFormats[String(schema.format)]
      return wrong && isText(String(value))
        ? { reason: wrong.reason, message: `${field} must be ${wrong.what}.` }
        : { reason: 'NOT_TEXT', message: `${field} must not contain NUL or unpaired surrogates.` }
    }
    default:
      return explainType(field, schema)
  }
}

function explainType(field: string, schema: Members): Pick<FailedField, 'reason' | 'message'> {
  switch (schema.type) {
    case 'boolean':
      return { reason: 'NOT_A_BOOLEAN', message: `${field} must be true or false.` }
    case 'integer':
      return {
        reason: 'NOT_AN_INTEGER',
        message: `${field} must be a whole number from ${schema.minimum} to ${schema.maximum}.`,
      }
    case 'array':
      return { reason: 'NOT_AN_ARRAY', message: `${field} must be an array.` }
    case 'object':
      return { reason: 'NOT_AN_OBJECT', message: `${field} must be an object.` }
    default:
      return { reason: 'NOT_A_STRING', message: `${field} must be a string.` }
  }
}
