/** What whoever types the command can mend; printed as one line, with exit code 1. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
}
