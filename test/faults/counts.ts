import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** How often the tests of a file cause their fault: in the long tests, and for a release (`npm run test:release`). */
export const counts: Record<string, { long: number; release: number }> = {
  'test/faults/kill.long.test.ts': { long: 30, release: 1_000 },
  'test/faults/kill-editors.long.test.ts': { long: 10, release: 100 },
  'test/faults/power-loss.long.test.ts': { long: 200, release: 1_000 },
  'test/faults/restarted-database.long.test.ts': { long: 5, release: 20 },
  'test/faults/killed-migrations.long.test.ts': { long: 10, release: 50 },
  'test/faults/backup/killed-commands.long.test.ts': { long: 16, release: 100 },
}

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Set by the project `release`. */
export const isRelease = process.env.TEST_FAULTS === 'release'

/** @param file the path of the test @throws Error if {@link counts} does not list it, as it would not run for a release */
export function countIn(file: string): number {
  const path = relative(root, file)
  const count = counts[path]
  if (!count) throw new Error(`${path} is not listed in test/faults/counts.ts`)
  return isRelease ? count.release : count.long
}

/** How long a test may take that causes its fault so often, on a machine that is busy with others. In milliseconds. */
export const timeoutFor = (count: number): number => 600_000 + count * 20_000
