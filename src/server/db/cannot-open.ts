/** The database cannot be used as it is; the message is one line for the operator, without any secret. */
export class CannotOpen extends Error {
  override readonly name: string = 'CannotOpen'
}
