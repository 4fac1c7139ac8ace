import { uploadsMember } from '../../contract/uploads.ts'
import { bodyField } from './body-field.ts'
import { Failure } from './failure.ts'

// Failures whose field says which limit a request exceeds, and how much it allows.

export const bodyTooLarge = (message: string): Failure =>
  new Failure('TOO_LARGE', { fields: [bodyField('', 'TOO_LARGE', message)] })

export const fileTooLarge = (maxBytes: number): Failure =>
  new Failure('TOO_LARGE', {
    fields: [bodyField(uploadsMember, 'TOO_LARGE', `A file may have at most ${maxBytes} bytes.`)],
  })

export const tooManyFiles = (message: string): Failure =>
  new Failure('TOO_MANY_FILES', { fields: [bodyField(uploadsMember, 'TOO_MANY', message)] })
