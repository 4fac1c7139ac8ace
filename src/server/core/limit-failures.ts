import type { FailedField } from '../../contract/envelope.ts'
import { uploadsMember } from '../../contract/uploads.ts'
import { Failure } from './failure.ts'

// Failures whose field says which limit a request exceeds, and how much it allows. The field `''` is the whole body.

const failedField = (field: string, reason: string, message: string): FailedField => ({
  field,
  in: 'body',
  reason,
  message,
})

export const bodyTooLarge = (message: string): Failure =>
  new Failure('TOO_LARGE', { fields: [failedField('', 'TOO_LARGE', message)] })

export const fileTooLarge = (maxBytes: number): Failure =>
  new Failure('TOO_LARGE', {
    fields: [failedField(uploadsMember, 'TOO_LARGE', `A file may have at most ${maxBytes} bytes.`)],
  })

export const tooManyFiles = (message: string): Failure =>
  new Failure('TOO_MANY_FILES', { fields: [failedField(uploadsMember, 'TOO_MANY', message)] })
