import fc from 'fast-check'
import { expect } from 'vitest'
import { sanitizeHtml } from './html.ts'

const allowedNames = [
  'p',
  'strong',
  'em',
  'b',
  'i',
  'u',
  's',
  'ul',
  'ol',
  'li',
  'blockquote',
  'code',
  'pre',
  'h3',
  'h6',
]

/** The complete grammar of allowed output. Anything else that looks like a tag fails. */
const allowed = new RegExp(
  [
    '</?(?:p|strong|em|b|i|u|s|ul|ol|li|blockquote|code|pre|h[3-6])>|<(?:br|hr) />|</a>',
    '<ol start="[0-9]{1,9}">',
    '<a href="(?:https?://|mailto:)[^"<>]*" rel="noopener noreferrer">',
  ].join('|'),
  'g',
)

/** The beginning of each tag in sanitized HTML that is not allowed there; null if there is none. */
export const unexpectedTags = (html: string) => html.replace(allowed, '').match(/<.{0,40}/g)

/** Asserts that the sanitized HTML has only allowed tags, and that the sanitizer does not change it again. */
export function expectSanitized(html: string): void {
  const clean = sanitizeHtml(html)
  expect(unexpectedTags(clean), html).toBeNull()
  expect(sanitizeHtml(clean), html).toBe(clean)
}

const tagNames = [
  ...allowedNames,
  'br',
  'hr',
  'h1',
  'h2',
  'a',
  'x',
  'div',
  'form',
  'svg',
  'title',
  'iframe',
  'textarea',
  'noscript',
]
const tagName = fc.constantFrom(...tagNames)
const token = fc.oneof(
  { weight: 4, arbitrary: tagName.map((tag) => `<${tag}>`) },
  { weight: 4, arbitrary: tagName.map((tag) => `</${tag}>`) },
  fc.constantFrom(
    '<a href="https://x.example/?a&amp;b">',
    '<a href=mailto:a@x>',
    '<ol start=7>',
    '<ol start="1&quot;>">',
    '<a href="/x">',
    '<p/>',
    '<p title=">',
  ),
  fc.constantFrom(
    'x',
    ' ',
    '\n',
    '\0',
    '&',
    '&lt;',
    '&ltb>',
    '"',
    '<',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '<?',
    '<!x>',
  ),
)

/** Random tags, valid or not, at different depths. */
export const tagSoup = fc
  .tuple(fc.constantFrom(0, 40, 48, 49, 50, 60), tagName, fc.array(token, { maxLength: 40, size: 'max' }))
  .map(([depth, tag, tokens]) => `<${tag}><b>`.repeat(depth / 2) + tokens.join(''))

export const expectAnyTagSoupIsSanitized = ({ numRuns }: { numRuns: number }) =>
  fc.assert(fc.property(tagSoup, expectSanitized), { numRuns })
