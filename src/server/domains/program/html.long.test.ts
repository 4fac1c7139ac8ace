import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { cpuTime } from '../../../../test/cpu-time.ts'
import { findSharedData } from '../../../../test/shared-data.ts'
import { expectAnyTagSoupIsSanitized, expectSanitized } from './html.fixtures.ts'
import { sanitizeHtml, textToHtml } from './html.ts'

const length = 1_000_000

test.each([
  ['</p>', '</p>', ''],
  ['</p> after 500 open tags', '</p>', '<b>'.repeat(500)],
  ['</p> after 20,000 open tags', '</p>', '<b>'.repeat(20_000)],
  ['</x> after 500 open tags', '</x>', '<b>'.repeat(500)],
  ['<div></p>', '<div></p>', ''],
  ['<b></b> after 500 open tags', '<b></b>', '<b>'.repeat(500)],
  ['links after a long text', '<a>x</a>', 'x'.repeat(400_000)],
  ['comments in an unfinished link', '<!---->', '<a href="https://x.example/'],
  ['<iframe>', '<iframe>', ''],
  ['<noscript></div>', '<noscript></div>', ''],
  ['SVG elements in deep <desc>', '<altglyph></altGlyph>', `<svg>${'<desc>'.repeat(400)}`],
  ['references', '&amp;', ''],
  ['attributes of an unfinished tag', ' a', '<p'],
])('a megabyte of %s is sanitized within ten seconds', (_, token, before) => {
  const html = before + token.repeat((length - before.length) / token.length)
  const started = cpuTime()
  const clean = sanitizeHtml(html)
  expect(cpuTime() - started).toBeLessThan(10_000)
  expect(sanitizeHtml(clean) === clean).toBe(true)
  expect(clean.length).toBeLessThan(5 * length)
})

test('15,000 random tag soups are sanitized', () => expectAnyTagSoupIsSanitized({ numRuns: 15_000 }))

/** The Big List of Naughty Strings (https://github.com/minimaxir/big-list-of-naughty-strings), where present. */
const naughtyStrings = findSharedData('corpora/naughty-strings.json')

test.skipIf(!naughtyStrings)('every string of the Big List of Naughty Strings is sanitized', () => {
  const texts: string[] = JSON.parse(readFileSync(naughtyStrings ?? '', 'utf8'))
  expect(texts.length).toBeGreaterThan(400)
  for (const text of texts) {
    expectSanitized(text)
    expect(sanitizeHtml(textToHtml(text)), text).toBe(textToHtml(text))
  }
})
