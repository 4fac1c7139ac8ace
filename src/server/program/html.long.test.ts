import { expect, test } from 'vitest'
import { cpuTime } from '../../../test/cpu-time.ts'
import { sanitiseHtml } from './html.ts'

const length = 1_000_000

test.each([
  ['</p>', ''],
  ['</p>', '<b>'.repeat(500)],
  ['</p>', '<b>'.repeat(20_000)],
  ['</x>', '<b>'.repeat(500)],
  ['<div></p>', ''],
  ['<b></b>', '<b>'.repeat(500)],
  ['<a>x</a>', 'x'.repeat(400_000)],
  ['<!---->', '<a href="https://x.example/'],
  ['<iframe>', ''],
  ['<noscript></div>', ''],
  ['<altglyph></altGlyph>', `<svg>${'<desc>'.repeat(400)}`],
  ['&amp;', ''],
  [' a', '<p'],
])('a megabyte of %s takes at most seconds', (token, before) => {
  const html = before + token.repeat((length - before.length) / token.length)
  const started = cpuTime()
  const clean = sanitiseHtml(html)
  expect(cpuTime() - started).toBeLessThan(10_000)
  expect(sanitiseHtml(clean) === clean).toBe(true)
  expect(clean.length).toBeLessThan(5 * length)
})
