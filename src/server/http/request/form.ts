import { parse } from 'qs'
import { Failure } from '../../core/failure.ts'
import { bodyTooLarge } from './body-stream.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The maximum number of fields in one form, of any names. */
export const maxFields = 1_000

export const tooManyFields = (): Failure => bodyTooLarge(`A form may have at most ${maxFields} fields.`)

/**
 * Parses an `application/x-www-form-urlencoded` body. `files[]`, `files[0]` and `files[0][link]` make arrays and
 * objects, as in JSON. Text may also be unescaped UTF-8, as `curl -d` sends it.
 * @throws Failure MALFORMED_FORM on bad percent-encoding or bytes that are not UTF-8; TOO_LARGE for too many fields
 */
export const parseForm = (bytes: Uint8Array) => parseText(() => utf8.decode(bytes))

/** Parses the text fields of a multipart form in the same way. */
export const parseFields = (fields: readonly (readonly [name: string, value: Uint8Array])[]) =>
  parseText(() =>
    fields.map(([name, value]) => `${encodeName(name)}=${encodeURIComponent(utf8.decode(value))}`).join('&'),
  )

/** Names are already decoded, with U+FFFD for invalid UTF-8; no member of the contract has that in its name. */
function encodeName(name: string): string {
  if (name.includes('\uFFFD')) throw new TypeError('field name is not UTF-8')
  return encodeURIComponent(name)
}

function parseText(decode: () => string): Readonly<Record<string, unknown>> {
  try {
    const fields = decode()
    if (fields.split('&').length > maxFields) throw tooManyFields()
    const numberElement = createElementNumberer()
    const members = parse(fields, {
      decoder: (part, _, __, type) => {
        const text = decodeURIComponent(part.replaceAll('+', ' '))
        return type === 'key' ? numberElement(text) : text
      },
      plainObjects: true,
      depth: 2,
      arrayLimit: maxFields,
      parameterLimit: maxFields,
    })
    return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, toList(member)]))
  } catch (cause) {
    throw cause instanceof Failure ? cause : new Failure('MALFORMED_FORM', { cause })
  }
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
