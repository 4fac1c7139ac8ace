import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'vitest'
import { expectHugeFilesRejected, expectJsonWarning } from './hostile-files.fixtures.ts'

// At this size a quadratic run time exceeds the limit.
test('hostile files of a megabyte are rejected within seconds', () => expectHugeFilesRejected(1_000_000))

/** JSONTestSuite (https://github.com/nst/JSONTestSuite), where present: files that begin with `y_` are valid. */
const suite = new URL('../../../../../shared/corpora/json-test-suite/', import.meta.url)

test.skipIf(!existsSync(suite))(
  'every file of JSONTestSuite gets one warning, and no valid one is called invalid',
  () => {
    for (const name of readdirSync(suite))
      expectJsonWarning(readFileSync(new URL(encodeURIComponent(name), suite), 'utf8'), name, name.startsWith('y_'))
  },
)
