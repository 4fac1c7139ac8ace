import { afterEach, expect, test, vi } from 'vitest'
import { GroupCommit, type Writer } from './group-commit.ts'
import type { Db } from './tables.ts'

// Transactions of a writer that keeps them an interval apart, which is longer than any test takes.

const hourMs = 3_600_000

afterEach(() => void vi.useRealTimers())

const nothing = async (): Promise<void> => {}

/** A writer without a database, which counts its commits. @param commitMs how long each takes by `performance.now()` */
function createWriter(commitMs = 0): Writer & { commits: number } {
  return {
    commits: 0,
    db: {} as Db,
    maxBatch: 3,
    alwaysSavepoint: false,
    intervalMs: hourMs,
    begin: nothing,
    countChanges: () => 0,
    savepoint: nothing,
    rollbackToSavepoint: nothing,
    survives: () => true,
    async commit() {
      this.commits++
      if (commitMs > 0) vi.advanceTimersByTime(commitMs)
    },
    rollback: nothing,
    checkpoint: () => {},
    isFatal: () => false,
    close: nothing,
  }
}

test('the first write does not wait, and later ones wait until they fill a transaction', async () => {
  const writer = createWriter()
  const { run } = new GroupCommit(writer, () => {})
  await run(nothing)
  expect(writer.commits).toBe(1)
  const first = run(nothing)
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
  expect(writer.commits).toBe(1)
  await Promise.all([first, run(nothing), run(nothing)])
  expect(writer.commits).toBe(2)
})

test('a write does not wait after a commit that took longer than the interval', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const writer = createWriter(2 * hourMs)
  const { run } = new GroupCommit(writer, () => {})
  await run(nothing)
  await run(nothing)
  expect(writer.commits).toBe(2)
})
