import type { FailedField } from '../../contract/envelope.ts'
import { Failure } from './failure.ts'

/** An invalid field of a body; `''` is the whole body. */
export const bodyField = (field: string, reason: string, message: string): FailedField => ({
  field,
  in: 'body',
  reason,
  message,
})

/** A failure because of one field of a body. */
export const invalidField = (field: string, reason: string, message: string): Failure =>
  new Failure('VALIDATION_FAILED', { fields: [bodyField(field, reason, message)] })
