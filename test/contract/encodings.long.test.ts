import { test } from 'vitest'
import { withBody } from './examples.ts'
import { expectSameOutcome } from './outcome.ts'

test.each(withBody)('%s does the same in all three encodings, and ignores members that are not its own', (name) =>
  expectSameOutcome(name, ['json', 'urlencoded', 'multipart']),
)
