import { OperatorError } from '../core/operator-error.ts'

/** The database cannot be used as it is; the message is one line for the operator, without any secret. */
export class CannotOpen extends OperatorError {
  override readonly name: string = 'CannotOpen'
}
