import type { FailedField, FieldReason } from '../../contract/envelope.ts'
import { Failure } from './failure.ts'

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
