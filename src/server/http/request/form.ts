import { parse } from 'qs'
import { Failure } from '../../core/failure.ts'
import { bodyTooLarge } from './body-stream.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

type Members = Readonly<Record<string, unknown>>

/** How the fields of a form are read. */
export interface FormSyntax {
  /** The maximum number of fields in one form, of any names. */
  readonly maxFields: number
  /** @param text percent-encoded, with at most so many fields @throws URIError */
  parse(text: string): Members
}

export const tooManyFields = ({ maxFields }: FormSyntax): Failure =>
  bodyTooLarge(`A form may have at most ${maxFields} fields.`)

/**
 * Parses an `application/x-www-form-urlencoded` body. Text may also be unescaped UTF-8, as `curl -d` sends it.
 * @throws Failure MALFORMED_FORM on bad percent-encoding or bytes that are not UTF-8; TOO_LARGE for too many fields
 */
export const parseForm = (bytes: Uint8Array, syntax: FormSyntax) => parseText(() => utf8.decode(bytes), syntax)

/** Parses the text fields of a multipart form in the same way. */
export const parseFields = (fields: readonly (readonly [name: string, value: Uint8Array])[], syntax: FormSyntax) =>
  parseText(
    () => fields.map(([name, value]) => `${encodeName(name)}=${encodeURIComponent(utf8.decode(value))}`).join('&'),
    syntax,
  )

/** Names are already decoded, with U+FFFD for invalid UTF-8; no member of the contract has that in its name. */
function encodeName(name: string): string {
  if (name.includes('\uFFFD')) throw new TypeError('field name is not UTF-8')
  return encodeURIComponent(name)
}

function parseText(decode: () => string, syntax: FormSyntax): Members {
  try {
    const text = decode()
    if (text.split('&').length > syntax.maxFields) throw tooManyFields(syntax)
    return syntax.parse(text)
  } catch (cause) {
    throw cause instanceof Failure ? cause : new Failure('MALFORMED_FORM', { cause })
  }
}

const decodePart = (part: string): string => decodeURIComponent(part.replaceAll('+', ' '))

/**
 * Of the pages: each field is a text, or one of a list if there are several of its name. A page may have a field for each
 * member of 1,000 rooms, which is why these are read in linear time.
 */
export const pageForm: FormSyntax = {
  maxFields: 10_000,
  parse(text) {
    const fields = text
      .split('&')
      .filter(Boolean)
      .map((field) => {
        const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(field) ?? []
        return { name: decodePart(name), value: decodePart(value) }
      })
    const members = [...Map.groupBy(fields, ({ name }) => name)].map(([name, [first, ...others]]) => {
      return [name, others.length === 0 ? first?.value : [first, ...others].map((field) => field?.value)]
    })
    return Object.fromEntries(members)
  },
}

const maxFields = 1_000

/** Of the API: `files[]`, `files[0]` and `files[0][link]` make arrays and objects, as in JSON. `qs` takes quadratic time. */
export const apiForm: FormSyntax = {
  maxFields,
  parse(text) {
    const numberElement = createElementNumberer()
    const members = parse(text, {
      decoder: (part, _, __, type) => (type === 'key' ? numberElement(decodePart(part)) : decodePart(part)),
      plainObjects: true,
      depth: 2,
      arrayLimit: maxFields,
      parameterLimit: maxFields,
    })
    return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, toList(member)]))
  },
}

/**
 * Numbers the elements of a list of objects where the client does not: in
 * `files[][link]=a&files[][type]=b&files[][link]=c` a repeated member starts the next element.
 */
function createElementNumberer(): (name: string) => string {
  const lists = new Map<string, { index: number; seen: Set<string> }>()
  return (name) => {
    const [, list, member] = /^([^[\]]+)\[\]\[([^[\]]+)\]$/.exec(name) ?? []
    if (list === undefined || member === undefined) return name
    // Above any index that a client may use.
    const current = lists.get(list) ?? { index: maxFields, seen: new Set() }
    lists.set(list, current)
    if (current.seen.has(member)) {
      current.index++
      current.seen.clear()
    }
    current.seen.add(member)
    return `${list}[${current.index}][${member}]`
  }
}

/** `qs` returns a list with indices above its limit as an object. */
function toList(member: unknown): unknown {
  const isNumbered =
    typeof member === 'object' && member !== null && Object.keys(member).every((key) => /^\d+$/.test(key))
  return isNumbered ? Object.values(member) : member
}
