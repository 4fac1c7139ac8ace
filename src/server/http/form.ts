import { parse } from 'qs'
import { Failure } from '../failure.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Parses an `application/x-www-form-urlencoded` body. `uploaded_files[]`, `uploaded_files[0]` and
 * `uploaded_files[0][link]` make arrays and objects, as in JSON. Text may also come as bare UTF-8, as `curl -d` sends it.
 * @throws Failure MALFORMED_FORM on bad percent-encoding or bytes that are not UTF-8
 */
export const parseForm = (bytes: Uint8Array) => parsed(() => utf8.decode(bytes))

/** The same for the text fields of a multipart form. */
export const parseFields = (fields: readonly (readonly [name: string, value: string])[]) =>
  parsed(() => fields.map((field) => field.map(encodeURIComponent).join('=')).join('&'))

function parsed(text: () => string): Readonly<Record<string, unknown>> {
  try {
    return parse(text(), {
      decoder: (part) => decodeURIComponent(part.replaceAll('+', ' ')),
      plainObjects: true,
      depth: 2,
      arrayLimit: 100,
      parameterLimit: 1_000,
      throwOnLimitExceeded: true,
    })
  } catch (cause) {
    throw new Failure('MALFORMED_FORM', { cause })
  }
}
