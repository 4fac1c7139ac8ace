import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tagSoup } from '../../../domains/program/html.fixtures.ts'
import { sanitizeHtml, textToHtml } from '../../../domains/program/html.ts'
import { expectNoLoss } from './editable-text.fixtures.ts'
import { toEditableText, toHtml } from './editable-text.ts'

const link = (url: string, text = url) => `<a href="${url}" rel="noopener noreferrer">${text}</a>`

test.each([
  ['', ''],
  ['<p>One<br />two</p><p>Three</p>', 'One\ntwo\n\nThree'],
  ['<p>List:</p><ul><li>a</li><li>b &lt; c</li></ul><p>End</p>', 'List:\n\n- a\n- b < c\n\nEnd'],
  ['<ul>\n<li><p>a</p></li>\n<li>b</li>\n</ul>', '- a\n- b'],
  ['<p>Topics:<br />- a<br />- b</p>', 'Topics:\n- a\n- b'],
  [`<p>See ${link('https://a.example/?b=1&amp;c=2')}.</p>`, 'See https://a.example/?b=1&c=2.'],
  ['<p>See https://a.example/.</p>', 'See https://a.example/.'],
  ['a\n   b&nbsp;&nbsp;c', 'a b\u00a0\u00a0c'],
  ['<p>a<br /><br />b</p>', 'a\n\nb'],
])('%j is edited as %j', (fragment, text) => {
  expect(toEditableText(sanitizeHtml(fragment))).toBe(text)
})

test.each([
  '<p>5 <em>more</em></p>',
  `<p>See ${link('https://a.example/', 'this')}.</p>`,
  `<p>${link('https://a.example/', 'a.example')}</p>`,
  `<p>${link('mailto:a@b.example', 'a@b.example')}</p>`,
  `<p>${link('https://a.example/x).', 'https://a.example/x).')}</p>`,
  '<ul><li>a<ul><li>b</li></ul></li></ul>',
  '<ul><li>a<br />b</li></ul>',
  '<ul><li>a<p>b</p></li></ul>',
  '<ol><li>a</li></ol>',
  '<h3>Head</h3>',
  '<blockquote>a</blockquote>',
  '<pre>a\n b</pre>',
  '<p>a</p><hr />',
])('%j is edited as HTML, as a text would lose some of it', (fragment) => {
  expect(toEditableText(sanitizeHtml(fragment))).toBeUndefined()
})

test('hostile HTML is edited without loss', () => {
  fc.assert(
    fc.property(tagSoup, (fragment) => expectNoLoss(sanitizeHtml(fragment))),
    { numRuns: 2_000 },
  )
})

test('what people type is HTML that the sanitizer leaves as it is, and is text again', () => {
  const parts = [
    '- ',
    '-',
    '\n',
    '\n\n',
    '\r\n',
    ' ',
    'a',
    '<b>',
    '&amp;',
    '"',
    '\u00a0',
    'https://a.example/(b)',
    '.',
    '１',
  ]
  const typed = fc.array(fc.constantFrom(...parts)).map((some) => some.join(''))
  fc.assert(
    fc.property(typed, (text) => {
      const stored = toHtml(text)
      expect(sanitizeHtml(stored)).toBe(stored)
      const shown = toEditableText(stored)
      expect(shown).toBeDefined()
      expect(toHtml(shown ?? '')).toBe(stored)
      expectNoLoss(textToHtml(text))
    }),
    { numRuns: 2_000 },
  )
})
