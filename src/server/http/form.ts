import { parse } from 'qs'
import { Failure } from '../failure.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Fields in one form, at the most, whatever their names. */
export const maxFields = 1_000

/**
 * Parses an `application/x-www-form-urlencoded` body. `uploaded_files[]`, `uploaded_files[0]` and
 * `uploaded_files[0][link]` make arrays and objects, as in JSON. Text may also come as bare UTF-8, as `curl -d` sends it.
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
    return parse(fields, {
      decoder: (part) => decodeURIComponent(part.replaceAll('+', ' ')),
      plainObjects: true,
      depth: 2,
      arrayLimit: maxFields,
      parameterLimit: maxFields,
      throwOnLimitExceeded: true,
    })
  } catch (cause) {
    throw cause instanceof Failure ? cause : new Failure('MALFORMED_FORM', { cause })
  }
}
