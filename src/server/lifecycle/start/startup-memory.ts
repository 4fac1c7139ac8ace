/**
 * Returns the memory that only the start needed: loading the program fills V8's young generation to its limit, 33 MB,
 * and V8 gives it back in a collection of this kind alone. Without `--min-semi-space-size`, it would also shrink the young
 * generation for the requests that follow. Call it before the server listens, as nothing else runs meanwhile. Does
 * nothing without Node's flag `--expose-gc`.
 */
export function releaseStartupMemory(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
