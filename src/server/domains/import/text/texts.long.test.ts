import { expect, test } from 'vitest'
import { cpuTime } from '../../../../../test/cpu-time.ts'
import { toHtmlFragment } from './html-fragment.ts'
import { expectAnyMixtureIsSanitized } from './texts.fixtures.ts'

test('15,000 random mixtures of Markdown and HTML are rendered to HTML that the sanitizer does not change again', () =>
  expectAnyMixtureIsSanitized({ numRuns: 15_000 }))

test.each([
  '*',
  '*a_ ',
  '[',
  '![',
  '[a](',
  '> ',
  '- ',
  '* a\n',
  '`a``b```',
  '<',
  '<!--',
  '<![CDATA[',
  '&',
  '<b>',
  '<b></b>',
  '[`',
])('100,000 characters such as %j are rendered within two seconds', (token) => {
  const started = cpuTime()
  toHtmlFragment(token.repeat(100_000 / token.length))
  expect(cpuTime() - started).toBeLessThan(2_000)
})
