import Type, { type Static, type TObject, type TSchema } from 'typebox'
import type { FailureReason } from './failures.ts'
import type { Limits } from './limits.ts'
import { visible } from './visible.ts'

/** One operation of the service: all that validation, types, OpenAPI, the client and the tests need to know of it. */
export interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** The path below the base URL, with `{name}` for each path parameter. */
  path: `/api/${string}`
  tag: 'News feed' | 'Files' | 'Program' | 'Feedback' | 'Participants'
  /** A few words; the title in the documentation. */
  summary: string
  /** What a caller may want to know beyond the schemas. */
  description?: string
  params: TObject
  body?: TObject
  /** Members of which the body must have at least one. */
  anyOf?: readonly string[]
  /** The members of `data`; absent where the answer is bytes. */
  data?: TObject
  /** What it can fail with of its own; every operation may also fail with those of `anyOperationFails`. */
  fails: readonly FailureReason[]
}

/** Declares an operation; exists so that its types are kept literal. */
export const operation = <const O extends Operation>(entry: O): O => entry

/** What any operation can answer, besides its own failures. */
export const anyOperationFails = [
  'BAD_REQUEST',
  'UNKNOWN_HOST',
  'VALIDATION_FAILED',
  'INTERNAL',
  'UNAVAILABLE',
] as const satisfies readonly FailureReason[]

/** What an operation with a request body can answer in addition. */
export const bodyFails = [
  'MALFORMED_JSON',
  'MALFORMED_FORM',
  'BODY_TOO_SLOW',
  'TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
] as const satisfies readonly FailureReason[]

/** What an operation that changes something can answer in addition. */
export const writeFails = [
  'CROSS_ORIGIN',
  'IDEMPOTENCY_KEY_IN_FLIGHT',
  'IDEMPOTENCY_KEY_REUSED',
  'OUTCOME_UNKNOWN',
  'STORAGE_FULL',
  'STORAGE_READ_ONLY',
] as const satisfies readonly FailureReason[]

export type ParamsOf<O extends Operation> = Static<O['params']>
export type BodyOf<O extends Operation> = O['body'] extends TObject ? Static<O['body']> : Record<never, never>
export type InputOf<O extends Operation> = ParamsOf<O> & BodyOf<O>
export type DataOf<O extends Operation> = O['data'] extends TObject ? Static<O['data']> : never

/** An object that carries exactly these members. */
export const record = <P extends Record<string, TSchema>>(properties: P) =>
  Type.Object(properties, { additionalProperties: false })

const maxId = Number.MAX_SAFE_INTEGER

/** A record's id, as sent in paths. */
export const Id = (description: string) => Type.Integer({ minimum: 1, maximum: maxId, description, examples: [1] })

/** A participant, as named in a body; one that does not exist is accepted, and 0 is nobody. */
export const ParticipantRef = (description: string) =>
  Type.Integer({ minimum: 0, maximum: maxId, description, examples: [1] })

/** A 0-based row offset and a number of rows (clamped to 1,000) in a path. */
export const pageParams = {
  offset: Type.Integer({ minimum: 0, maximum: maxId, description: 'Rows to skip.', examples: [0] }),
  limit: Type.Integer({ minimum: 0, maximum: maxId, description: 'Rows to return, at most 1,000.', examples: [20] }),
}

interface TextOptions {
  /** Which configurable limit bounds its characters. */
  limit: keyof Limits
  description: string
  /** Whether it must hold at least one visible character. */
  required?: boolean
  /** What it has to be besides text: `photo` is an http(s) URL or a stored path. */
  format?: 'photo'
  /** Whether a JSON number is taken as its decimal text. */
  acceptsNumber?: boolean
  examples?: string[]
}

/** A string of a request. Holds no NUL and no lone surrogate (format `text`). */
export const Text = ({ limit, description, required, format, acceptsNumber, examples }: TextOptions) =>
  Type.String({
    format: format ?? 'text',
    description,
    'x-limit': limit,
    ...(required && { pattern: visible }),
    ...(acceptsNumber && { 'x-accepts-number': true }),
    ...(examples && { examples }),
  })
