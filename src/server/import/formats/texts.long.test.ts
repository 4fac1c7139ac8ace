import { test } from 'vitest'
import { expectAnyMixtureIsSanitised } from './texts.fixtures.ts'

test('15,000 random mixtures of Markdown and HTML are rendered to HTML that the sanitiser does not change again', () =>
  expectAnyMixtureIsSanitised({ numRuns: 15_000 }))
