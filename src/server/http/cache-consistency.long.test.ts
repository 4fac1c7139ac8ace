import { test } from 'vitest'
import { expectExactAfterAnyWrites } from './cache-consistency.fixtures.ts'

test('cached responses match the database after each of five long random sequences of writes', () =>
  expectExactAfterAnyWrites({ batches: { minLength: 10, maxLength: 15 }, numRuns: 5 }))
