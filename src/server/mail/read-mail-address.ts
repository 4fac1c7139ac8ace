import { invalidField } from '../core/body-field.ts'
import { isMailAddress } from './mail-address.ts'

/** The form in which e-mail addresses are stored and compared. */
export const normalizeMailAddress = (text: string): string => text.trim().toLowerCase()

/** Reads the member `email` of a request. @throws Failure VALIDATION_FAILED */
export function readMailAddress(text: string): string {
  const email = normalizeMailAddress(text)
  if (isMailAddress(email)) return email
  throw invalidField('email', 'NOT_AN_EMAIL', 'email must be an e-mail address.')
}
