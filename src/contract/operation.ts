import Type, { type Static, type TInteger, type TObject, type TSchema } from 'typebox'
import type { Access } from './access.ts'
import { responseCodes } from './envelope.ts'
import type { FailureReason } from './failures.ts'
import { type Limits, maxPageRows } from './limits.ts'
import { visible } from './visible.ts'

/** The groups of operations in the documentation. */
export const tags = {
  'News feed': 'Topics, their comments and their likes.',
  Files: 'Files attached to topics and comments.',
  Program: 'Events with their days, details, banners and photos, and the whole schedule.',
  Feedback: 'Feedback from participants.',
  Participants: 'Participants and their profiles.',
  Me: 'The person who is signed in.',
  'Sign-in': 'Signing in. A session is a cookie; for an app, a bearer token.',
  Editing: 'The program as editors change it: drafts, publication, and undo.',
  Organizers: 'Organizers, invitations to sign in, and the change log.',
} as const

/** One operation of the service. Validation, types, OpenAPI, the client and the tests derive from it. */
export interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** The path below the base URL, with `{name}` for each path parameter. */
  path: `/api/${string}`
  tag: keyof typeof tags
  /** The title in the documentation. */
  summary: string
  /** Details beyond the schemas. */
  description?: string
  access: Access
  params: TObject
  /** Optional parameters of a read, in the query of its URL. */
  query?: TObject
  body?: TObject
  /** The body must have at least one of these members. */
  anyOf?: readonly string[]
  /** The members of `data`; absent for a response of bytes. */
  data?: TObject
  /** The member of `data` that is a secret. It is not stored, so it is empty in the response to a repeated request. */
  secret?: string
  /** Present for a read whose JSON responses are not cached: there are as many as people can type. */
  uncached?: true
  /**
   * Whether the bytes are those of a file made of records, or of a picture for organizers, which the key in links to images
   * and files does not open.
   */
  ofRecords?: true
  /** The failures of this operation, besides `anyOperationFails`. */
  fails: readonly FailureReason[]
}

/** Declares an operation, keeping its types literal. */
export const operation = <const O extends Operation>(entry: O): O => entry

/** Failures of any operation. */
export const anyOperationFails = [
  'BAD_REQUEST',
  'UNKNOWN_HOST',
  'VALIDATION_FAILED',
  'INTERNAL',
  'UNAVAILABLE',
] as const satisfies readonly FailureReason[]

/** Additional failures of operations that identify the sender. */
export const accessFails = ['UNAUTHENTICATED', 'CREDENTIAL_EXPIRED'] as const satisfies readonly FailureReason[]

/** Additional failures of those that write. */
export const accessWriteFails = ['FORBIDDEN'] as const satisfies readonly FailureReason[]

/** Additional failures of writes whose rate is limited (`hasWriteBudget`). */
export const budgetFails = ['TOO_MANY_WRITES'] as const satisfies readonly FailureReason[]

/** Additional failures of operations with a request body. */
export const bodyFails = [
  'MALFORMED_JSON',
  'MALFORMED_FORM',
  'BODY_TOO_SLOW',
  'TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
] as const satisfies readonly FailureReason[]

/** Additional failures of operations that write. */
export const writeFails = [
  'CROSS_ORIGIN',
  'IDEMPOTENCY_KEY_IN_FLIGHT',
  'IDEMPOTENCY_KEY_REUSED',
  'OUTCOME_UNKNOWN',
  'STORAGE_FULL',
  'STORAGE_READ_ONLY',
] as const satisfies readonly FailureReason[]

export type ParamsOf<O extends Operation> = Static<O['params']>
export type QueryOf<O extends Operation> = O['query'] extends TObject ? Static<O['query']> : Record<never, never>
export type BodyOf<O extends Operation> = O['body'] extends TObject ? Static<O['body']> : Record<never, never>
export type InputOf<O extends Operation> = ParamsOf<O> & QueryOf<O> & BodyOf<O>
export type DataOf<O extends Operation> = O['data'] extends TObject ? Static<O['data']> : never

/**
 * Whether an operation returns bytes of which a client can have a current copy: all that do but downloads, which are
 * created while they are sent.
 */
export const isRevalidated = ({ data, access, ofRecords }: Operation): boolean =>
  data === undefined && ('readers' in access || ofRecords === true)

/** Whether an operation reads an image or file that is for all readers. */
export const isMedia = ({ data, access, ofRecords }: Operation): boolean =>
  data === undefined && 'readers' in access && !ofRecords

/** The `response_code` with which an operation succeeds. */
export type SuccessCode<O extends Operation> = O['method'] extends 'DELETE'
  ? typeof responseCodes.deleted
  : typeof responseCodes.success

export const successCodeOf = ({ method }: Operation): number =>
  method === 'DELETE' ? responseCodes.deleted : responseCodes.success

/** A path of the contract as routers write it: `/topics/:topic_id`. */
export const routePathOf = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')

/** The path of a request to an operation, with its query. @param values its parameters; other members are ignored */
export function pathOf({ path, query }: Operation, values: Readonly<Record<string, unknown>>): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])))
  if (!query) return filled
  const given = Object.keys(query.properties).flatMap((name) =>
    values[name] === undefined ? [] : [[name, String(values[name])] as [string, string]],
  )
  return given.length === 0 ? filled : `${filled}?${new URLSearchParams(given)}`
}

/** An object with exactly these members. */
export const record = <P extends Record<string, TSchema>>(properties: P) =>
  Type.Object(properties, { additionalProperties: false })

const maxId = Number.MAX_SAFE_INTEGER

/** The kinds of records that requests name by their id, or list. Each is the name of a table. */
export type RecordKind =
  | ('topic' | 'comment' | 'file' | 'participant' | 'feedback')
  | ('event' | 'room' | 'track' | 'speaker' | 'revision')
  | ('organizer' | 'credential' | 'passkey' | 'change')

/** An integer that is the id of a record. The server derives the type of the id from `x-record`. */
export type IdSchema<K extends RecordKind> = TInteger & { 'x-record': K }

// TypeBox does not carry custom keywords into the type.
const idSchema = <K extends RecordKind>(kind: K, minimum: number, description: string) =>
  Type.Integer({ minimum, maximum: maxId, description, examples: [1], 'x-record': kind }) as IdSchema<K>

/** The id of a record, as in a path. */
export const Id = <K extends RecordKind>(kind: K, description: string) => idSchema(kind, 1, description)

/** A reference to a record that need not exist; 0 refers to none. */
export const Ref = <K extends RecordKind>(kind: K, description: string) => idSchema(kind, 0, description)

/** The ids of at most `maxItems` records, in a body. */
export const IdList = <K extends RecordKind>(kind: K, maxItems: number, description: string) =>
  Type.Array(idSchema(kind, 1, 'An id.'), {
    maxItems,
    description: `${description} At most ${maxItems}.`,
    examples: [[1, 7]],
  })

/** Path parameters of a list of these records: the rows to skip and the number of rows to return, clamped to 1,000. */
export const pageOf = (kind: RecordKind) => ({
  offset: Type.Integer({ minimum: 0, maximum: maxId, description: 'Rows to skip.', examples: [0], 'x-listed': kind }),
  limit: Type.Integer({
    minimum: 0,
    maximum: maxId,
    'x-clamped-to': maxPageRows,
    description: 'Rows to return, at most 1,000.',
    examples: [20],
  }),
})

interface TextOptions {
  /** The configurable limit of its characters. */
  limit: keyof Limits
  description: string
  /** Whether it must hold at least one visible character. */
  required?: boolean
  /** Whether line breaks and other control characters are replaced by spaces, as in titles and names. */
  oneLine?: boolean
  /** `photo` is an http(s) URL or a stored path. */
  format?: 'photo'
  /** Whether a JSON number is accepted, as its decimal text. */
  acceptsNumber?: boolean
  examples?: string[]
}

/** A string in a request, without NUL or lone surrogates (format `text`). */
export const Text = ({ limit, description, required, oneLine, format, acceptsNumber, examples }: TextOptions) =>
  Type.String({
    format: format ?? 'text',
    description,
    'x-limit': limit,
    ...(required && { pattern: visible }),
    ...(oneLine && { 'x-one-line': true }),
    ...(acceptsNumber && { 'x-accepts-number': true }),
    ...(examples && { examples }),
  })
