import { OperatorError } from '../../core/errors.ts'

/**
 * Why a mail was not sent. The message names the mail server and its status code, but not what it said: that could
 * repeat the password, or the address of the recipient.
 */
export class MailError extends OperatorError {
  override readonly name = 'MailError'
}
