import { Failure } from '../failure.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Parses a JSON body (RFC 8259; a byte order mark is skipped).
 * @throws Failure MALFORMED_JSON; VALIDATION_FAILED when it is not an object
 */
export function parseJson(bytes: Buffer): Readonly<Record<string, unknown>> {
  const value = parse(bytes)
  if (isObject(value)) return value
  throw new Failure('VALIDATION_FAILED', {
    fields: [{ field: '', in: 'body', reason: 'NOT_AN_OBJECT', message: 'The body must be a JSON object.' }],
  })
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch (cause) {
    throw new Failure('MALFORMED_JSON', { cause })
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
