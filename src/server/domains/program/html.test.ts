import { describe, expect, test } from 'vitest'
import { cpuTime } from '../../../../test/cpu-time.ts'
import { expectAnyTagSoupIsSanitized, expectSanitized, unexpectedTags } from './html.fixtures.ts'
import { sanitizeHtml, textToHtml } from './html.ts'

const attacks = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="java&#10;script:alert(1)">x</a>',
  '<a href=" &#14; javascript:alert(1)">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<a href="//evil.example">x</a>',
  '<a href="https://x.example/&quot; onclick=&quot;alert(1)">x</a>',
  '<p style="background:url(javascript:alert(1))" onclick="alert(1)" class="x">x</p>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<form action="javascript:alert(1)"><button>x</button></form>',
  '<<script>script>alert(1)<</script>/script>',
  '<p<script>alert(1)</script>>',
  '<textarea><script>alert(1)</script></textarea>',
  '<base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
]

/** Texts that user input may contain, and that are often handled incorrectly. */
const awkwardTexts = [
  ['an empty text', ''],
  ['white space only', ' \t\r\n\v\f\u00a0\u2028\u3000'],
  ['control characters', Array.from({ length: 32 }, (_, code) => String.fromCharCode(code)).join('')],
  ['bidirectional and zero-width controls', '\u202etxt\u202c\u200b\u200d\ufeff\u00ad'],
  ['lone surrogates', '\ud800 \udfff<b>\ud83d</b>'],
  ['stacked combining marks', `Z${'\u0351\u0489\u0334'.repeat(30)}`],
  ['right-to-left text', 'مرحبا <b>بالعالم</b> שלום'],
  ['emoji sequences', '👩‍👩‍👧‍👦 🏳️‍🌈 🇨🇭 1️⃣'],
  ['characters whose case changes their length', 'ß ﬃ İ ı ŉ'],
  ['unterminated references', '&lt &amp &#60 &#x3c &#0; &#x110000; &notit; &NotEqualTilde'],
  ['an unterminated tag', 'x <a href="https://x.example/'],
  ['an unterminated comment', '<b>x<!-- <p>y'],
  ['a CDATA section', '<![CDATA[<p>x</p>]]>'],
  ['a processing instruction', '<?xml version="1.0"?><?php echo 1 ?>'],
  ['a doctype', '<!DOCTYPE html [<!ENTITY x "y">]>&x;'],
  ['less-than signs in prose', 'a<b, c >d, 1 <2 <3 << >>'],
  ['a template and a format string', '{{7*7}} <%= x %> %s%n %00 #{x}'],
  ['SQL and shell text', `'; drop table "x"; -- $(id) \`id\` | < /etc/passwd`],
  ['file names', '../../etc/passwd C:\\con\\nul <.htaccess>'],
  ['a script that is split over lines', '<scr\nipt>alert(1)</scr\nipt>'],
  ['upper-case tags', '<SCRIPT>alert(1)</SCRIPT><P ONCLICK=x>y</P>'],
  ['attributes without quotes', '<p title=a/b onclick=alert(1)//>x<a href=javascript:alert(1)>y'],
  ['numbers that are not numbers', 'NaN Infinity -0 1e999 0x10 undefined null'],
] as const

describe('sanitizeHtml', () => {
  test.each(attacks)('removes everything active from %s', (attack) => {
    expectSanitized(attack)
    expect(sanitizeHtml(attack)).not.toMatch(/<script|javascript:[^<]*">|onerror=[^<]*>/i)
  })

  test('keeps structure, emphasis and links, and drops attributes', () => {
    const html =
      '<h3 id="a">T</h3><p class="x">a <b>b</b> <em>c</em></p><ul><li>d</li></ul><hr><pre><code>e</code></pre>'
    expect(sanitizeHtml(html)).toBe(
      '<h3>T</h3><p>a <b>b</b> <em>c</em></p><ul><li>d</li></ul><hr /><pre><code>e</code></pre>',
    )
    expect(sanitizeHtml('<a href="https://x.example/?a=1&b=2" target="_blank">l</a>')).toBe(
      '<a href="https://x.example/?a=1&amp;b=2" rel="noopener noreferrer">l</a>',
    )
    expect(sanitizeHtml('<a href="mailto:a@x.example">m</a>')).toContain('href="mailto:a@x.example"')
  })

  test('turns headings larger than h3 into h3', () => {
    expect(sanitizeHtml('<h1 class="x">a</h1><H2>b</H2><h3>c</h3><h4>d</h4>')).toBe(
      '<h3>a</h3><h3>b</h3><h3>c</h3><h4>d</h4>',
    )
    for (const html of ['<h1>a<h2>b</h1>c</h2>', '<p>a<h1>b</p>c</h1>', '</h1><h2>']) expectSanitized(html)
  })

  test('keeps the first number of a list, if it is one', () => {
    expect(sanitizeHtml('<ol start="3" type="A"><li>a</li></ol>')).toBe('<ol start="3"><li>a</li></ol>')
    for (const start of ['1', '', '-2', '1234567890', 'x', '3" onclick="alert(1)'])
      expect(sanitizeHtml(`<ol start='${start}'></ol>`)).toBe('<ol></ol>')
  })

  test('keeps the text of a link whose target is not allowed', () => {
    expect(sanitizeHtml('<a href="/relative">one</a> <a>two</a> <a href="ftp://x">three</a>')).toBe('one two three')
  })

  test('is idempotent where closing tags create elements', () => {
    for (const html of [
      '<p>a<h3>b</p>c</h3></p>',
      '<ul><li>a<p>b</ul></li>',
      '</p></br><li>',
      '<a href="http://x">a<a href="http://y">b',
    ]) {
      const clean = sanitizeHtml(html)
      expect(sanitizeHtml(clean)).toBe(clean)
    }
  })

  test('handles absurd nesting quickly and is idempotent', () => {
    const started = cpuTime()
    for (const depth of [513, 19_000]) {
      const clean = sanitizeHtml('<b>'.repeat(depth))
      expect(sanitizeHtml(clean)).toBe(clean)
      expect(unexpectedTags(clean)).toBeNull()
      expect(clean.split('<b>').length).toBeLessThan(100)
    }
    expect(cpuTime() - started).toBeLessThan(2_000)
  })

  test('is idempotent where closing tags create more elements than there were tags', () => {
    for (const html of ['</p>'.repeat(5_000), '</p>x'.repeat(5_000), '<li></p>'.repeat(3_000)]) {
      const clean = sanitizeHtml(html)
      expect(clean).toMatch(/^(?:x|<p><\/p>|<li>|<\/li>)+$/)
      expect(sanitizeHtml(clean) === clean).toBe(true)
    }
  })

  test('is idempotent and allows no other tags for random tag soup, however deep', () =>
    expectAnyTagSoupIsSanitized({ numRuns: 500 }))

  test('escapes everything that nests deeper than browsers do, where each closing tag would cost more than the last', () => {
    for (const html of [
      '<b>'.repeat(4_000) + '</p>'.repeat(10_000),
      '<div>'.repeat(513) + '</x>'.repeat(100),
      '<svg>'.repeat(600),
    ]) {
      const clean = sanitizeHtml(html)
      expect(clean === `<p>${html.replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</p>`).toBe(true)
      expect(sanitizeHtml(clean) === clean).toBe(true)
    }
    expect(sanitizeHtml(`${'<div>'.repeat(512)}deep`)).toBe('deep')
  })

  test('keeps a link of the maximum length, and only the text of a longer one', () => {
    const longest = `https://x.example/${'a'.repeat(2_048 - 18)}`
    expect(sanitizeHtml(`<a href="${longest}">x</a>`)).toContain(longest)
    expect(sanitizeHtml(`<a href="${longest}a">x</a>`)).toBe('x')
  })

  test.each(awkwardTexts)('is idempotent and allows no other tags for %s', (_, text) => expectSanitized(text))
})

describe('textToHtml', () => {
  test('separates paragraphs at blank lines and keeps single line breaks', () => {
    expect(textToHtml('one\ntwo\r\n\r\nthree\n \t\n\nfour\rfive')).toBe(
      '<p>one<br />two</p><p>three</p><p>four<br />five</p>',
    )
    expect(textToHtml(' \n\n ')).toBe('')
  })

  test('escapes markup and changes nothing else', () => {
    expect(textToHtml('<3 & "quotes" **bold** &amp; <b>x</b>')).toBe(
      '<p>&lt;3 &amp; "quotes" **bold** &amp;amp; &lt;b&gt;x&lt;/b&gt;</p>',
    )
  })

  test.each(attacks)('renders %s as plain text', (attack) => {
    const html = textToHtml(attack)
    expect(unexpectedTags(html)).toBeNull()
    expect(sanitizeHtml(html)).toBe(html)
  })

  test.each(awkwardTexts)('returns HTML that the sanitizer does not change for %s', (_, text) => {
    expect(sanitizeHtml(textToHtml(text))).toBe(textToHtml(text))
  })
})
