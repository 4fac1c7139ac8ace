/** Ends the process, and shows where the error came from: for one that nobody is left to answer with. */
export function throwUncaught(error: unknown): void {
  process.nextTick(() => {
    throw error
  })
}
