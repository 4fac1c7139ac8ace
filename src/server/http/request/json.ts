import { isUtf8 } from 'node:buffer'
import { visit } from 'jsonc-parser'
import type { FailedField, FieldReason } from '../../../contract/envelope.ts'
import { bodyField, Failure } from '../../core/failure.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Parses a JSON body (RFC 8259; a byte order mark is skipped).
 * @returns undefined if it is not an object
 * @throws Failure MALFORMED_JSON
 */
export function parseJson(bytes: Buffer): Readonly<Record<string, unknown>> | undefined {
  const value = parse(bytes)
  return isObject(value) ? value : undefined
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch {
    // Without the cause, whose message quotes the body.
    throw new Failure('MALFORMED_JSON', { fields: locateError(bytes) })
  }
}

/** Reports the place of the first error; the message of `JSON.parse` does not always have it. */
function locateError(bytes: Buffer): FailedField[] {
  const failed = (reason: FieldReason, message: string): FailedField[] => [bodyField('', reason, message)]
  if (!isUtf8(bytes)) return failed('NOT_TEXT', 'The body is not valid UTF-8.')
  try {
    visit(
      utf8.decode(bytes),
      {
        onError: (_code, _offset, _length, line, character) => {
          throw new FirstError(`The body is not valid JSON at line ${line + 1}, column ${character + 1}.`)
        },
      },
      { disallowComments: true },
    )
  } catch (error) {
    if (error instanceof FirstError) return failed('NOT_JSON', error.message)
    // The parser is recursive: in JSON nested thousands deep it finds no place.
    if (!(error instanceof RangeError)) throw error
  }
  return failed('NOT_JSON', 'The body is not valid JSON.')
}

/** Ends the visit: a body may have as many errors as characters. */
class FirstError extends Error {}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
