import type { SerializedError } from 'vitest'
import type { Reporter, TestModule } from 'vitest/node'

/** Ends the run with a line `N passed, N failed, N skipped` for scripts. */
export default class PlainReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    // An uncaught error counts as a failed test.
    const count = { passed: 0, failed: errors.length, skipped: 0, pending: 0 }
    for (const module of modules) {
      for (const test of module.children.allTests()) count[test.result().state]++
      // A file that fails to load has no tests.
      if (module.state() === 'failed' && module.errors().length > 0) count.failed++
    }
    console.log(`\n${count.passed} passed, ${count.failed} failed, ${count.skipped + count.pending} skipped`)
  }
}
