/** An error the operator can fix. Only its message is printed, and the program exits with code 1. */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError'
}

/** The message of what was thrown, which may be anything. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Whether an error has this `code`, as errors from Node's own modules do. */
export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code

/** Crashes the process with the error's stack, for errors that cannot be reported to a client. */
export function throwUncaught(error: unknown): void {
  process.nextTick(() => {
    throw error
  })
}
