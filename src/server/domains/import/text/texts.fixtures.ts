import fc from 'fast-check'
import { expectSanitized } from '../../program/html.fixtures.ts'
import { toHtmlFragment } from './html-fragment.ts'

const piece = fc.constantFrom(
  ...[
    '*',
    '**',
    '_',
    '~~',
    '`',
    '```',
    '\n',
    '\n\n',
    '# ',
    '> ',
    '- ',
    '1. ',
    '[',
    '](',
    ')',
    '![',
    '<',
    '>',
    '\\',
    '&',
  ],
  ...[
    '<b>',
    '</b>',
    '<a href="https://x.example">',
    '</a>',
    '<script>',
    '</p>',
    '<br>',
    '<!--',
    'https://x.example',
    'a',
    ' ',
  ],
)

/** Asserts that the HTML of random mixtures of Markdown and HTML is not changed by the sanitizer. */
export function expectAnyMixtureIsSanitized({ numRuns }: { numRuns: number }): void {
  const mixture = fc.array(piece, { maxLength: 40, size: 'max' }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(mixture, (text) => expectSanitized(toHtmlFragment(text))),
    { numRuns },
  )
}
