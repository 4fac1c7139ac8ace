import type { FailedField, FieldReason } from '../../contract/envelope.ts'
import { type FailureReason, failures, retryAfterSeconds } from '../../contract/failures.ts'

interface FailureOptions extends ErrorOptions {
  fields?: FailedField[]
  /** The data of a read of the record that has changed. */
  current?: object
  retryAfterSeconds?: number
}

/** A failure defined by the contract, thrown by reason; clients get its code and message, never its cause. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly reason: FailureReason
  readonly fields: FailedField[]
  readonly current: object | undefined
  /** The `Retry-After`; undefined for none. */
  readonly retryAfterSeconds: number | undefined

  constructor(
    reason: FailureReason,
    { fields = [], current, retryAfterSeconds: seconds = retryAfterSeconds[reason], ...options }: FailureOptions = {},
  ) {
    super(failures[reason].message, options)
    this.reason = reason
    this.fields = fields
    this.current = current
    this.retryAfterSeconds = seconds
  }
}

/** Whether a failed write may have been stored anyway. */
export const mayBeStored = (error: unknown): boolean => error instanceof Failure && error.reason === 'OUTCOME_UNKNOWN'

/** An invalid field of a body; `''` is the whole body. */
export const bodyField = (field: string, reason: FieldReason, message: string): FailedField => ({
  field,
  in: 'body',
  reason,
  message,
})

/** A failure because of one field of a body. */
export const invalidField = (field: string, reason: FieldReason, message: string): Failure =>
  new Failure('VALIDATION_FAILED', { fields: [bodyField(field, reason, message)] })
