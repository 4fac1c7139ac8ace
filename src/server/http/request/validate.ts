import type { TObject } from 'typebox'
import Type from 'typebox'
import type { FailedField } from '../../../contract/envelope.ts'
import { type Limits, withLimits } from '../../../contract/limits.ts'
import type { Operation } from '../../../contract/operation.ts'
import { uploadsMember } from '../../../contract/uploads.ts'
import { compileSchema, type SchemaError } from '../../core/compile-schema.ts'
import { bodyField } from '../../core/failure.ts'
import { isPhoto } from '../../core/links.ts'

type Members = Readonly<Record<string, unknown>>

/** Members of a request, converted to their types; `fields` lists every invalid one. */
export interface CheckedValues {
  readonly values: Members
  readonly fields: readonly FailedField[]
}

/** Rejects NUL, which not every engine can store, and lone surrogates, which are not text. */
const isText = (value: string): boolean => value.isWellFormed() && !value.includes('\0')

const formats = { text: isText, photo: (value: string) => isText(value) && isPhoto(value) }

/**
 * Compiles the checks of an operation's parameters and members: unknown members are ignored, integers may be given as
 * digits, booleans as words, arrays of one element as that element, and `null` for an optional member, or an empty string for an optional number, counts as
 * absent. Uploads are not checked here; see `domains/files/uploads.ts`.
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

const withoutUploads = (body: TObject): TObject =>
  uploadsMember in body.properties ? Type.Omit(body, [uploadsMember]) : body

function compileMembers(schema: TObject, location: FailedField['in']): (source: Members) => CheckedValues {
  // Compiled at first use: to compile all schemas at start would take ten milliseconds.
  let compiled: ReturnType<typeof compileSchema> | undefined
  const required = new Set<string>(schema.required ?? [])
  const members = Object.entries(schema.properties).map(([name, member]): [string, Members] => [name, { ...member }])
  return (source) => {
    const values: Record<string, unknown> = {}
    for (const [name, member] of members) {
      const value = Object.hasOwn(source, name) ? source[name] : undefined
      if (value === undefined || (!required.has(name) && isAbsent(value, member))) continue
      values[name] = coerce(value, member)
    }
    compiled ??= compileSchema(schema, formats)
    const fields = compiled.Check(values) ? [] : collectFailedFields(compiled.Errors(values), values, members, location)
    return { values, fields }
  }
}

/** Clients return the nulls that they have read, and forms send an empty field for a number that was not entered. */
const isAbsent = (value: unknown, schema: Members): boolean =>
  value === null || (value === '' && schema.type === 'integer')

function coerce(value: unknown, schema: Members): unknown {
  if (schema.type === 'array') return coerceElements(value, schema.items as Members)
  if (schema.type === 'integer' && typeof value === 'string' && /^\d+$/.test(value)) return clamp(Number(value), schema)
  if (schema.type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  if (schema['x-accepts-number'] && typeof value === 'number' && Number.isFinite(value)) return String(value)
  return value
}

/** Forms send a single element as it is, and an empty one for none. */
function coerceElements(value: unknown, schema: Members): unknown {
  const elements = typeof value === 'string' ? [value] : value
  if (!Array.isArray(elements)) return value
  return elements.filter((element) => element !== '').map((element) => coerce(element, schema))
}

/** Reduces a valid number to the one that has the same effect, so that both count as the same request. */
const clamp = (value: number, { maximum, 'x-clamped-to': most }: Members): number =>
  typeof most === 'number' && value <= Number(maximum) ? Math.min(value, most) : value

/** Returns one entry per invalid member, with its first error, which may be of an element. */
function collectFailedFields(
  errors: SchemaError[],
  values: Members,
  members: [string, Members][],
  location: FailedField['in'],
): FailedField[] {
  const failed = new Map<string, FailedField>()
  for (const error of errors) {
    const [, member = '', index] = error.instancePath.split('/')
    const names = error.keyword === 'required' ? error.params.requiredProperties : [member]
    for (const name of names) {
      if (failed.has(name)) continue
      const schema = members.find(([known]) => known === name)?.[1] ?? {}
      const field = index === undefined ? name : `${name}[${index}]`
      const failing = index === undefined ? schema : (schema.items as Members)
      failed.set(name, { field, in: location, ...explain(error.keyword, field, failing, values[name]) })
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
    case 'maxItems':
      return { reason: 'TOO_MANY', message: `${field} may have at most ${schema.maxItems} elements.` }
    case 'maxLength':
      return { reason: 'TOO_LONG', message: `${field} may have at most ${schema.maxLength} characters.` }
    case 'pattern':
      return { reason: 'BLANK', message: `${field} must not be blank.` }
    case 'format':
      return isText(String(value))
        ? { reason: 'NOT_A_PHOTO', message: `${field} must be an http or https URL or a stored path.` }
        : { reason: 'NOT_TEXT', message: `${field} must not contain NUL or unpaired surrogates.` }
    default:
      if (schema.type === 'array') return { reason: 'NOT_AN_ARRAY', message: `${field} must be an array.` }
      if (schema.type === 'boolean') return { reason: 'NOT_A_BOOLEAN', message: `${field} must be true or false.` }
      return schema.type === 'integer'
        ? {
            reason: 'NOT_AN_INTEGER',
            message: `${field} must be a whole number from ${schema.minimum} to ${schema.maximum}.`,
          }
        : { reason: 'NOT_A_STRING', message: `${field} must be a string.` }
  }
}
