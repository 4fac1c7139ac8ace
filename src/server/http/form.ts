import { parse } from 'qs'
import { Failure } from '../failure.ts'

/**
 * Parses `application/x-www-form-urlencoded` text. `uploaded_files[]`, `uploaded_files[0]` and
 * `uploaded_files[0][link]` make arrays and objects, as in JSON.
 * @throws Failure MALFORMED_FORM on bad percent-encoding or bytes that are not UTF-8
 */
export function parseForm(text: string): Readonly<Record<string, unknown>> {
  try {
    return parse(text, {
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

/** The same for the text fields of a multipart form. */
export const parseFields = (fields: readonly (readonly [name: string, value: string])[]) =>
  parseForm(fields.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&'))
