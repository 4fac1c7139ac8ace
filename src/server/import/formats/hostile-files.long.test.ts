import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { findSharedData } from '../../../../test/shared-data.ts'
import { expectDamagedFilesRead, expectHugeFilesRejected, expectJsonWarning } from './hostile-files.fixtures.ts'
import { formats } from './programs.fixtures.ts'

// At this size a quadratic run time exceeds the limit.
test('hostile files of a megabyte are rejected within seconds', () => expectHugeFilesRejected(1_000_000))

test.each(formats)('files in the format %s that are damaged in one of 100 places are read without an error', (format) =>
  expectDamagedFilesRead(format, 100),
)

/** JSONTestSuite (https://github.com/nst/JSONTestSuite), where present: files that begin with `y_` are valid. */
const suite = findSharedData('corpora/json-test-suite')

test.skipIf(!suite)('every file of JSONTestSuite gets one warning, and no valid one is called invalid', () => {
  for (const name of readdirSync(suite ?? ''))
    expectJsonWarning(readFileSync(join(suite ?? '', name), 'utf8'), name, name.startsWith('y_'))
})
