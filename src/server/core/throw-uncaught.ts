/** Crashes the process with the error's stack, for errors that cannot be reported to a client. */
export function throwUncaught(error: unknown): void {
  process.nextTick(() => {
    throw error
  })
}
