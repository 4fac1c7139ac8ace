/** What the operator can mend. Its message is for them, and is all that is printed before a program ends with exit code 1. */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError'
}
