import { Failure } from '../../core/failure.ts'

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
  } catch (cause) {
    throw new Failure('MALFORMED_JSON', { cause })
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
