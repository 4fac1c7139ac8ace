/**
 * Every failure of the service, by reason. `code` is the equivalent HTTP status times ten plus a variant; the message is
 * one English sentence that reveals no internals. Neither appears anywhere else.
 */
export const failures = {
  BAD_REQUEST: { code: 4000, message: 'The request could not be understood.' },
  UNKNOWN_HOST: { code: 4000, message: 'The Host header does not name this server; its operator can set PUBLIC_URL.' },
  MALFORMED_JSON: { code: 4001, message: 'The request body is not valid JSON.' },
  MALFORMED_FORM: { code: 4002, message: 'The request body is not a valid form.' },
  UNAUTHENTICATED: { code: 4010, message: 'The key is missing, unknown or revoked.' },
  CREDENTIAL_EXPIRED: { code: 4011, message: 'The credential has expired.' },
  FORBIDDEN: { code: 4030, message: 'You are not allowed to do this.' },
  SESSION_TOO_NEW: { code: 4030, message: 'This session is too new: it can do this a day after signing in.' },
  SESSION_FROM_DESK: {
    code: 4030,
    message:
      'This session comes from an organizer. Sign in with an address of your own, or ask an owner for an invitation.',
  },
  CROSS_ORIGIN: { code: 4030, message: 'Writes from a web page of another origin are not allowed.' },
  INVITATION_INVALID: { code: 4031, message: 'The invitation is unknown, has been used, or has expired.' },
  PASSKEY_INVALID: { code: 4031, message: 'The passkey is unknown, or its response is not valid here. Try again.' },
  CODE_INVALID: { code: 4031, message: 'The code is wrong, has been used, or has expired; ask for a new one.' },
  TOPIC_NOT_FOUND: { code: 4040, message: 'There is no such topic.' },
  COMMENT_NOT_FOUND: { code: 4040, message: 'There is no such comment.' },
  LIKE_NOT_FOUND: { code: 4040, message: 'There is no such like.' },
  FILE_NOT_FOUND: { code: 4040, message: 'There is no such file.' },
  EVENT_NOT_FOUND: { code: 4040, message: 'There is no such event.' },
  ROOM_NOT_FOUND: { code: 4040, message: 'There is no such room.' },
  TRACK_NOT_FOUND: { code: 4040, message: 'There is no such track.' },
  SPEAKER_NOT_FOUND: { code: 4040, message: 'There is no such speaker.' },
  REVISION_NOT_FOUND: { code: 4040, message: 'There is no such revision, or it has been undone.' },
  PARTICIPANT_NOT_FOUND: { code: 4040, message: 'There is no such participant.' },
  CREDENTIAL_NOT_FOUND: { code: 4040, message: 'You have no such session or key.' },
  PASSKEY_NOT_FOUND: { code: 4040, message: 'You have no such passkey.' },
  ORGANIZER_NOT_FOUND: { code: 4040, message: 'There is no such organizer.' },
  NO_SUCH_ROUTE: { code: 4041, message: 'Nothing is served at this path.' },
  METHOD_NOT_ALLOWED: { code: 4050, message: 'This path does not support this method.' },
  BODY_TOO_SLOW: { code: 4080, message: 'The request body arrived too slowly.' },
  LAST_OWNER: { code: 4090, message: 'A summit needs an owner: make somebody else one first.' },
  SUMMIT_ENDED: { code: 4090, message: 'The summit has ended; its operator can set SUMMIT_ENDS.' },
  NO_MAIL: { code: 4090, message: 'This summit sends no e-mail; its operator can set SMTP_URL.' },
  LOGIN_EMAIL_TAKEN: { code: 4090, message: 'Another participant signs in with this address.' },
  NO_LOGIN_EMAIL: { code: 4090, message: 'You have no address to sign in with; an organizer can set it.' },
  EVENT_CHANGED: {
    code: 4090,
    message: 'This was changed or published after you read it. Read it again, and repeat your change.',
  },
  UNDO_BLOCKED: { code: 4090, message: 'Some records were changed since; undo the others with keep_changed.' },
  IN_USE: { code: 4090, message: 'Sessions refer to this.' },
  IDEMPOTENCY_KEY_IN_FLIGHT: { code: 4091, message: 'A request with the same Idempotency-Key is still in progress.' },
  TOO_LARGE: { code: 4130, message: 'The request is too large.' },
  TOO_MANY_FILES: { code: 4131, message: 'There are too many files for one request, or for one topic or comment.' },
  UNSUPPORTED_MEDIA_TYPE: {
    code: 4150,
    message: 'Send the body as application/json, application/x-www-form-urlencoded or multipart/form-data.',
  },
  NOT_A_PROGRAM: { code: 4220, message: 'The file cannot be read as a program.' },
  VALIDATION_FAILED: { code: 4220, message: 'Some fields are invalid.' },
  IDEMPOTENCY_KEY_REUSED: { code: 4221, message: 'This Idempotency-Key was used with another request.' },
  TOO_MANY_ATTEMPTS: { code: 4290, message: 'Too many codes were asked for; try again later.' },
  TOO_MANY_WRITES: { code: 4290, message: 'You are writing too fast; try again later.' },
  INTERNAL: { code: 5000, message: 'An unexpected error occurred on the server.' },
  UNAVAILABLE: { code: 5030, message: 'The service is temporarily unavailable or overloaded.' },
  OUTCOME_UNKNOWN: { code: 5031, message: 'It is not known whether the change was stored.' },
  STORAGE_FULL: { code: 5070, message: 'The storage is full.' },
  STORAGE_READ_ONLY: { code: 5071, message: 'The storage is read-only.' },
} as const satisfies Record<string, { code: number; message: string }>

export type FailureReason = keyof typeof failures
export type FailureCode = (typeof failures)[FailureReason]['code']

/**
 * The `Retry-After`, in seconds, of failures after which the same request may succeed. Those of `TOO_MANY_ATTEMPTS` and
 * `TOO_MANY_WRITES` are computed.
 */
export const retryAfterSeconds: Partial<Record<FailureReason, number>> = {
  IDEMPOTENCY_KEY_IN_FLIGHT: 1,
  UNAVAILABLE: 1,
  STORAGE_FULL: 30,
  STORAGE_READ_ONLY: 30,
}

/** The true HTTP status of a failure, sent to clients that prefer `application/problem+json` (RFC 9457). */
export const httpStatusOf = (reason: FailureReason): number => Math.floor(failures[reason].code / 10)

/** The maximum number of fields in one failure. */
export const maxFailedFields = 20
