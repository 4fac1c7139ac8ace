import { expect, test } from 'vitest'
import { defaultLimits } from '../../../../contract/limits.ts'
import { parseProgram } from '../formats/detect.ts'
import { event, parseCalendar } from '../formats/programs.fixtures.ts'
import { expectAnyMixtureIsSanitized } from './texts.fixtures.ts'

const htmlOf = (abstract: string) =>
  parseProgram(
    JSON.stringify([{ code: 'A', title: 'T', start: '2031-03-14T09:00:00', abstract }]),
    'a.json',
    defaultLimits,
  ).sessions[0]?.description

test.each([
  ['emphasis', '*a* **b** ~~c~~ `d`', '<p><em>a</em> <strong>b</strong> <s>c</s> <code>d</code></p>'],
  ['paragraphs and line breaks', 'one\ntwo  \nthree\n\nfour', '<p>one<br />two<br />three</p><p>four</p>'],
  ['lists', 'Bring:\n\n* a\n* b', '<p>Bring:</p><ul><li>a</li><li>b</li></ul>'],
  ['lists that begin with another number', '3. c\n4. d', '<ol start="3"><li>c</li><li>d</li></ol>'],
  ['headings', '# One\n\n### Three\n\nTwo\n---', '<h3>One</h3><h3>Three</h3><h3>Two</h3>'],
  [
    'links',
    '[a](https://x.example/?b&c)',
    '<p><a href="https://x.example/?b&amp;c" rel="noopener noreferrer">a</a></p>',
  ],
  ['links to scripts', '[a](javascript:alert(1))', '<p>[a](javascript:alert(1))</p>'],
  [
    'images',
    '![a](https://x.example/b.png)',
    '<p><a href="https://x.example/b.png" rel="noopener noreferrer">a</a></p>',
  ],
  [
    'quotations and code',
    '> a\n\n```\n<b>\n```',
    '<blockquote><p>a</p></blockquote><pre><code>&lt;b&gt;\n</code></pre>',
  ],
  ['rules', 'a\n\n***\n\nb', '<p>a</p><hr /><p>b</p>'],
])('%s in Markdown are rendered', (_, markdown, html) => {
  expect(htmlOf(markdown)).toBe(html)
})

test.each([
  ['inline tags', 'Learn <b>how</b> and <EM class="x">why</EM>', '<p>Learn <b>how</b> and <em>why</em></p>'],
  [
    'a link',
    'See <a href="https://x.example">x</a>',
    '<p>See <a href="https://x.example" rel="noopener noreferrer">x</a></p>',
  ],
  ['inline tags and Markdown', '<strong>a</strong>\n\n*b*', '<p><strong>a</strong></p><p><em>b</em></p>'],
  ['line breaks', 'a<br>b<br/>c', 'a<br />b<br />c'],
  ['large headings', '<h1>a</h1><h2>b</h2><p>c</p>', '<h3>a</h3><h3>b</h3><p>c</p>'],
])('HTML with %s is HTML', (_, html, result) => {
  expect(htmlOf(html)).toBe(result)
})

test.each([
  ['a tag that is not closed', 'Why <b> is bold', '<p>Why &lt;b&gt; is bold</p>'],
  [
    'names of other tags',
    'A <script> and List<String> & <title>',
    '<p>A &lt;script&gt; and List&lt;String&gt; &amp; &lt;title&gt;</p>',
  ],
  ['an example', 'How <script>alert(1)</script> gets in', '<p>How &lt;script&gt;alert(1)&lt;/script&gt; gets in</p>'],
  ['comparisons', 'a<b, c >d, 1 <2 <3', '<p>a&lt;b, c &gt;d, 1 &lt;2 &lt;3</p>'],
  ['snake_case and 2 * 3 * 4', 'snake_case and 2 * 3 * 4', '<p>snake_case and 2 * 3 * 4</p>'],
  ['indentation', 'a\n\n    b\n\tc', '<p>a</p><p>b<br />c</p>'],
  ['hashtags and numbers', '#tag at 10. or 5) o’clock', '<p>#tag at 10. or 5) o’clock</p>'],
  ['tables', '| a | b |\n|---|---|', '<p>| a | b |<br />|---|---|</p>'],
  ['quotation marks', '"a" \'b\'', '<p>"a" \'b\'</p>'],
])('%s in plain text remain as they are', (_, text, html) => {
  expect(htmlOf(text)).toBe(html)
})

test.each([
  ['lines in blocks', '<div>a</div><div>b<br>c</div>\n<div><div>d</div></div>', 'a<br />b<br />c\n<br />d'],
  ['lines in unknown elements', 'a<my-line>b</my-line><my-line>c</my-line>d', 'a<br />b<br />c<br />d'],
  ['lines around a centered one', 'a<center>b</center>c', 'a<br />b<br />c'],
  [
    'rows and cells',
    '<table><thead><tr><th>At</th><th>What</th></tr></thead><tr><td>09:00<td>Wel<b>come</b><tr><td></td><td>Boats</td></tr></table>',
    'At | What<br />09:00 | Wel<b>come</b><br />Boats',
  ],
  ['paragraphs in cells', '<table><tr><td><p>a</p></td><td><p>b</p></td></tr></table>', '<p>a</p><p>b</p>'],
  [
    'terms',
    '<dl><dt>Level</dt><dd>Beginner</dd><dt>Language<dd>English</dl>',
    'Level<br />Beginner<br />Language<br />English',
  ],
  ['a list after a block', '<div>a:</div><ul><li><div>b</div></li></ul><div>c</div>', 'a:<ul><li>b</li></ul>c'],
  ['a block in emphasis', '<b><div>a</div><div>c</div></b>', '<b>a<br />c</b>'],
  ['comparisons in blocks', '<div>a < b &amp;&lt; c</div><div>d</div>', 'a &lt; b &amp;&lt; c<br />d'],
  ['a script between blocks', '<div>a</div><script>b</script><div>c</div>', 'a<br />c'],
])('HTML with %s has them apart', (_, html, result) => {
  expect(htmlOf(html)).toBe(result)
})

test.each([
  ['an inline element', '<font color="red">Bring a boat</font>', '<p>Bring a boat</p>'],
  ['elements of other programs', 'Bring <o:p>a</o:p> <nobr>boat</nobr><wbr>house', 'Bring a boathouse'],
  ['an element that is cut off', 'a <span class="x">b', '<p>a b</p>'],
  ['paragraphs without ends', 'a<p>b<p>c', 'a<p>b</p><p>c</p>'],
  ['an image', 'a <img src="x.png"> b', '<p>a  b</p>'],
  ['a comment', 'a <!-- wp:x --> b', '<p>a  b</p>'],
  ['a block beside code', 'Use `<p>`: <div>a</div><div>b</div>', '<p>Use <code>&lt;p&gt;</code>: </p>a<br />b<p></p>'],
])('no tag of %s is shown', (_, text, html) => {
  expect(htmlOf(text)).toBe(html)
})

test('HTML that nests deeper than the sanitizer reads is shown as it is', () => {
  const text = '<div>a</div>'.repeat(2) + '<div>'.repeat(513)
  expect(htmlOf(text)).toBe(`<p>${text.replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</p>`)
})

test('a subtitle is plain text', () => {
  const { sessions } = parseProgram('Title,Start,Subtitle\nA,2031-03-14 09:00,*b* <i>c</i>', 'a.csv', defaultLimits)
  expect(sessions[0]).toMatchObject({ subtitle: '*b* <i>c</i>', description: '' })
})

test('any mixture of Markdown and HTML is rendered to HTML that the sanitizer does not change again', () =>
  expectAnyMixtureIsSanitized({ numRuns: 300 }))

test.each([
  ['Canceled: Opening', 'Opening', true],
  ['Cancelled: Canceled: Opening', 'Opening', true],
  ['ABGESAGT: Opening', 'Opening', true],
  ['Annulé : Opening', 'Opening', true],
  ['Cancelled flights: a history', 'Cancelled flights: a history', false],
  ['Canceled:', 'Canceled:', false],
])('a session with the title “%s” is “%s”, cancelled: %s', (written, title, cancelled) => {
  const [csv, calendar] = [
    parseProgram(`Title,Start,Status\n"${written}",2030-05-14 10:00,`, 'a.csv', defaultLimits),
    parseCalendar(
      ...event('1', 'DTSTART:20300514T100000', 'STATUS:CANCELLED').map((line) => line.replace('Yoga', written)),
    ),
  ]
  expect(csv.sessions).toMatchObject([{ title, cancelled }])
  expect(csv.warnings).toHaveLength(cancelled ? 1 : 0)
  // Its status says so, too.
  expect(calendar).toMatchObject({ sessions: [{ title, cancelled: true }], warnings: [] })
})

test('an abstract and a description that are shown alike are one text', () => {
  const event = { title: 'T', date: '2030-05-02T09:00:00', start: '09:00', duration: '01:00', room: 'One' }
  const day = {
    date: '2030-05-02',
    rooms: { One: [{ ...event, abstract: 'Once.\n\nAgain.', description: 'Once.\n\n\nAgain.' }] },
  }
  const { sessions } = parseProgram(
    JSON.stringify({ schedule: { conference: { days: [day] } } }),
    'a.json',
    defaultLimits,
  )
  expect(sessions).toMatchObject([{ description: '<p>Once.</p><p>Again.</p>', details: '' }])
})
