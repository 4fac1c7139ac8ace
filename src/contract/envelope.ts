import Type, { type Static, type TObject, type TSchema } from 'typebox'
import { type FailureCode, type FailureReason, failures } from './failures.ts'

/** Timestamps of the service: `YYYY-MM-DD HH:MM:SS` in the configured time zone. */
export const Timestamp = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$',
  examples: ['2026-05-04 09:30:00'],
})

/** The timestamp that means "not set". */
export const unsetTimestamp = '0000-00-00 00:00:00'

const Signature = Type.String({ pattern: '^[0-9a-f]{40}$', description: 'See "Signatures" in the API guide.' })

/** The `response_code` of successes. Those of failures are in `failures.ts`. */
export const responseCodes = { success: 1000, deleted: 2000 } as const
export const redirectUrlOfDelete = 1002

const exact = { additionalProperties: false }

/** An array of exactly one element. */
const arrayOfOne = <S extends TSchema>(element: S) => Type.Array(element, { minItems: 1, maxItems: 1 })

/** The envelope of a read, create or update: an array of one object. */
export const SuccessEnvelope = <D extends TObject>(data: D) =>
  arrayOfOne(
    Type.Object(
      {
        response_code: Type.Literal(responseCodes.success),
        data,
        system: Type.Object({ created_at: Timestamp, signature: Signature, message: Type.Literal('Success') }, exact),
      },
      exact,
    ),
  )

/** The envelope of a delete. */
export const DeletedEnvelope = <D extends TObject>(data: D) =>
  arrayOfOne(
    Type.Object(
      {
        response_code: Type.Literal(responseCodes.deleted),
        data,
        system: Type.Object(
          {
            created_at: Timestamp,
            signature: Signature,
            message: Type.Literal('Redirected'),
            redirect_url: Type.Literal(redirectUrlOfDelete),
          },
          exact,
        ),
      },
      exact,
    ),
  )

/** Why a field of a request is invalid. docs/api.md says what each means. */
export const fieldReasons = [
  ...(['REQUIRED', 'BLANK', 'TOO_LONG', 'NOT_TEXT', 'NOT_A_STRING', 'NOT_AN_INTEGER', 'NOT_A_BOOLEAN'] as const),
  ...(['NOT_AN_ARRAY', 'NOT_AN_OBJECT', 'TOO_LARGE', 'TOO_MANY', 'NOT_JSON', 'NOT_A_FILE', 'UNEXPECTED_FILE'] as const),
  ...(['NOT_A_PHOTO', 'NOT_A_KEY', 'NOT_AN_EMAIL', 'NOT_ROLES', 'NOT_CONFIRMED', 'NOT_A_KIND', 'NOT_A_TIME'] as const),
  ...(['NOT_A_DATE', 'NOT_A_TIME_ZONE', 'NOT_A_COLOR', 'NOT_A_URL', 'NOT_IMPORTABLE'] as const),
  ...(['UNKNOWN', 'REPEATED', 'RESERVED', 'NOT_AN_IMAGE', 'FILE_NOT_FOUND'] as const),
]
export type FieldReason = (typeof fieldReasons)[number]

/** An invalid field of a request: its location, the reason, and a sentence for people. */
export const FailedField = Type.Object(
  {
    field: Type.String({ examples: ['name'] }),
    in: Type.Union([Type.Literal('path'), Type.Literal('query'), Type.Literal('body'), Type.Literal('header')]),
    reason: Type.Unsafe<FieldReason>({ type: 'string', enum: fieldReasons, examples: ['REQUIRED'] }),
    message: Type.String(),
  },
  exact,
)
export type FailedField = Static<typeof FailedField>

const Code = Type.Unsafe<FailureCode>({
  type: 'integer',
  enum: [...new Set(Object.values(failures).map(({ code }) => code))],
})

const Reason = Type.Unsafe<FailureReason>({ type: 'string', enum: Object.keys(failures) })

/** Present if somebody else has changed the record of an edit since. */
const current = Type.Optional(
  Type.Unsafe<object>({ type: 'object', description: 'The `data` of a read of the record, as it is by now.' }),
)

export const FailureData = Type.Object(
  {
    message: Type.String(),
    reason: Reason,
    fields: Type.Array(FailedField),
    request_id: Type.String(),
    current,
  },
  exact,
)
export type FailureData = Static<typeof FailureData>

/** The envelope of a failure; `message` is never `Success` or `Redirected`, and there is no `redirect_url`. */
export const FailureEnvelope = arrayOfOne(
  Type.Object(
    {
      response_code: Code,
      data: FailureData,
      system: Type.Object({ created_at: Timestamp, signature: Signature, message: Type.String() }, exact),
    },
    exact,
  ),
)
export type FailureEnvelope = Static<typeof FailureEnvelope>

/** A failure for a client whose `Accept` prefers `application/problem+json` (RFC 9457), sent with its true status. */
export const Problem = Type.Object(
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    code: Type.Unsafe<FailureCode>({ ...Code, description: 'The `response_code` that the envelope would have.' }),
    reason: Reason,
    fields: Type.Array(FailedField),
    request_id: Type.String(),
    current,
  },
  exact,
)
export type Problem = Static<typeof Problem>

/**
 * The text whose HMAC-SHA-256 (first 40 hex digits) is `system.signature`.
 * @param digest lower-case hex SHA-256 of the exact bytes of the JSON text of `data`
 */
export const signedText = (responseCode: number, createdAt: string, digest: string): string =>
  `v1\n${responseCode}\n${createdAt}\n${digest}`
