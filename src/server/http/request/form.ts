import { parse } from 'qs'
import { Failure } from '../../core/failure.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Fields in one form, at the most, whatever their names. */
export const maxFields = 1_000

/**
 * Parses an `application/x-www-form-urlencoded` body. `files[]`, `files[0]` and `files[0][link]` make arrays and objects,
 * as in JSON. Text may also come as bare UTF-8, as `curl -d` sends it.
 * @throws Failure MALFORMED_FORM on bad percent-encoding or bytes that are not UTF-8; TOO_LARGE for too many fields
 */
export const parseForm = (bytes: Uint8Array) => parsed(() => utf8.decode(bytes))

/** The same for the text fields of a multipart form. */
export const parseFields = (fields: readonly (readonly [name: string, value: Uint8Array])[]) =>
  parsed(() =>
    fields.map(([name, value]) => `${escapedName(name)}=${encodeURIComponent(utf8.decode(value))}`).join('&'),
  )

/** Names come decoded, with U+FFFD for what was not UTF-8; no member of ours has that in its name. */
function escapedName(name: string): string {
  if (name.includes('\uFFFD')) throw new TypeError('The name of a field is not UTF-8.')
  return encodeURIComponent(name)
}

function parsed(text: () => string): Readonly<Record<string, unknown>> {
  try {
    const fields = text()
    if (fields.split('&').length > maxFields) throw new Failure('TOO_LARGE')
    const numbered = numberer()
    const members = parse(fields, {
      decoder: (part, _, __, type) => {
        const text = decodeURIComponent(part.replaceAll('+', ' '))
        return type === 'key' ? numbered(text) : text
      },
      plainObjects: true,
      depth: 2,
      arrayLimit: maxFields,
      parameterLimit: maxFields,
    })
    return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, asList(member)]))
  } catch (cause) {
    throw cause instanceof Failure ? cause : new Failure('MALFORMED_FORM', { cause })
  }
}

/**
 * Numbers the objects of a list that come without: in `files[][link]=a&files[][type]=b&files[][link]=c`, as some clients
 * write them, a member that comes again begins the next.
 */
function numberer(): (name: string) => string {
  const lists = new Map<string, { nth: number; seen: Set<string> }>()
  return (name) => {
    const [, list, member] = /^([^[\]]+)\[\]\[([^[\]]+)\]$/.exec(name) ?? []
    if (list === undefined || member === undefined) return name
    // Beyond those that come with a number.
    const at = lists.get(list) ?? { nth: maxFields, seen: new Set() }
    lists.set(list, at)
    if (at.seen.has(member)) {
      at.nth++
      at.seen.clear()
    }
    at.seen.add(member)
    return `${list}[${at.nth}][${member}]`
  }
}

/** Elements with numbers beyond the limit come as an object. */
function asList(member: unknown): unknown {
  const isNumbered =
    typeof member === 'object' && member !== null && Object.keys(member).every((key) => /^\d+$/.test(key))
  return isNumbered ? Object.values(member) : member
}
