import type { SerializedError } from 'vitest'
import type { Reporter, TestCase, TestModule } from 'vitest/node'

/** Files whose times are shown. */
const slowest = 20

/**
 * Prints each failure at once, as a long run may be cut off. Ends the run with what took longest, if there were many
 * files, and a line `N passed, N failed, N skipped` for scripts.
 */
export default class PlainReporter implements Reporter {
  onTestCaseResult(test: TestCase): void {
    for (const { message, stack = message, diff = '', cause } of test.result().errors ?? [])
      console.log(`\nFAILED: ${test.fullName}\n${stack}\n${diff}\n${cause?.stack ?? ''}`)
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    // An uncaught error counts as a failed test.
    const count = { passed: 0, failed: errors.length, skipped: 0, pending: 0 }
    for (const module of modules) {
      for (const test of module.children.allTests()) count[test.result().state]++
      // A file that fails to load has no tests.
      if (module.state() === 'failed' && module.errors().length > 0) count.failed++
    }
    if (modules.length > slowest) reportTimes(modules)
    console.log(`\n${count.passed} passed, ${count.failed} failed, ${count.skipped + count.pending} skipped`)
  }
}

/** Prints the seconds of each project, several of whose files run at a time, and of the slowest files. */
function reportTimes(modules: readonly TestModule[]): void {
  const timed = modules.map((module) => ({
    project: module.project.name,
    file: module.relativeModuleId,
    ms: module.diagnostic().duration,
  }))
  const print = (ms: number, text: string) => console.log(`${(ms / 1000).toFixed(0).padStart(6)} s  ${text}`)
  console.log('\nThe time of all files of a project, and of the slowest files:')
  for (const [project, files] of Map.groupBy(timed, ({ project }) => project))
    print(
      files.reduce((sum, { ms }) => sum + ms, 0),
      `${project}: ${files.length} files`,
    )
  for (const { ms, project, file } of timed.toSorted((one, other) => other.ms - one.ms).slice(0, slowest))
    print(ms, `${project} ${file}`)
}
