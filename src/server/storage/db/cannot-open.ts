import { OperatorError } from '../../core/errors.ts'

/** The database cannot be used in its present state. The message is one line for the operator, without secrets. */
export class CannotOpen extends OperatorError {
  override readonly name: string = 'CannotOpen'
}
