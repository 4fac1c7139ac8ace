/** An error the operator can fix. Only its message is printed, and the program exits with code 1. */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError'
}
