import { test } from 'vitest'
import { expectValidMarkup } from './markup.fixtures.ts'

// All of the sample in one mode, as modes hardly change how pages are written.
test.each([
  { mode: 'open', content: 'sample', ofEach: 5 },
  { mode: 'public', content: 'sample', ofEach: 60 },
  { mode: 'public', content: 'empty', ofEach: 60 },
] as const)('the markup of every page is valid with the $content in the mode $mode', ({ ofEach, ...options }) =>
  expectValidMarkup(options, ofEach),
)
