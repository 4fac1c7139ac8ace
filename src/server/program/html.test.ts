import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cpuTime } from '../../../test/cpu-time.ts'
import { isLong } from '../../../test/long.ts'
import { sanitiseHtml, textToHtml } from './html.ts'

const naughtyFile = new URL('../../../../shared/corpora/naughty-strings.json', import.meta.url)
const hasNaughty = existsSync(naughtyFile)
const naughty: string[] = hasNaughty ? JSON.parse(readFileSync(naughtyFile, 'utf8')) : []

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
    '<a href="(?:https?://|mailto:)[^"<>]*" rel="noopener noreferrer">',
  ].join('|'),
  'g',
)
const unexpectedTags = (html: string) => html.replace(allowed, '').match(/<.{0,40}/g)

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

describe('sanitiseHtml', () => {
  test.each(attacks)('removes everything active from %s', (attack) => {
    const clean = sanitiseHtml(attack)
    expect(unexpectedTags(clean)).toBeNull()
    expect(clean).not.toMatch(/<script|javascript:[^<]*">|onerror=[^<]*>/i)
    expect(sanitiseHtml(clean)).toBe(clean)
  })

  test('keeps structure, emphasis and links, and drops attributes', () => {
    const html =
      '<h3 id="a">T</h3><p class="x">a <b>b</b> <em>c</em></p><ul><li>d</li></ul><hr><pre><code>e</code></pre>'
    expect(sanitiseHtml(html)).toBe(
      '<h3>T</h3><p>a <b>b</b> <em>c</em></p><ul><li>d</li></ul><hr /><pre><code>e</code></pre>',
    )
    expect(sanitiseHtml('<a href="https://x.example/?a=1&b=2" target="_blank">l</a>')).toBe(
      '<a href="https://x.example/?a=1&amp;b=2" rel="noopener noreferrer">l</a>',
    )
    expect(sanitiseHtml('<a href="mailto:a@x.example">m</a>')).toContain('href="mailto:a@x.example"')
  })

  test('keeps the text of a link whose target is not allowed', () => {
    expect(sanitiseHtml('<a href="/relative">one</a> <a>two</a> <a href="ftp://x">three</a>')).toBe('one two three')
  })

  test('is idempotent where closing tags create elements', () => {
    for (const html of [
      '<p>a<h3>b</p>c</h3></p>',
      '<ul><li>a<p>b</ul></li>',
      '</p></br><li>',
      '<a href="http://x">a<a href="http://y">b',
    ]) {
      const clean = sanitiseHtml(html)
      expect(sanitiseHtml(clean)).toBe(clean)
    }
  })

  test('handles absurd nesting quickly and is idempotent', () => {
    const started = cpuTime()
    for (const depth of [19_000, 60_000]) {
      const clean = sanitiseHtml('<b>'.repeat(depth))
      expect(sanitiseHtml(clean)).toBe(clean)
      expect(unexpectedTags(clean)).toBeNull()
      expect(clean.split('<b>').length).toBeLessThan(100)
    }
    expect(cpuTime() - started).toBeLessThan(2_000)
  })

  test('is idempotent where closing tags create more elements than there were tags', () => {
    for (const html of ['</p>'.repeat(25_000), '</p>x'.repeat(25_000), '<li></p>'.repeat(15_000)]) {
      const clean = sanitiseHtml(html)
      expect(clean).toMatch(/^(?:x|<p><\/p>|<li>|<\/li>)+$/)
      expect(sanitiseHtml(clean) === clean).toBe(true)
    }
  })

  test('is idempotent and allows no other tags for any tag soup, however deep', () => {
    const names = [
      ...allowedNames,
      'br',
      'hr',
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
    const name = fc.constantFrom(...names)
    const token = fc.oneof(
      { weight: 4, arbitrary: name.map((tag) => `<${tag}>`) },
      { weight: 4, arbitrary: name.map((tag) => `</${tag}>`) },
      fc.constantFrom(
        '<a href="https://x.example/?a&amp;b">',
        '<a href=mailto:a@x>',
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
    const soup = fc
      .tuple(fc.constantFrom(0, 40, 48, 49, 50, 60), name, fc.array(token, { maxLength: 40, size: 'max' }))
      .map(([depth, tag, tokens]) => `<${tag}><b>`.repeat(depth / 2) + tokens.join(''))
    fc.assert(
      fc.property(soup, (html) => {
        const clean = sanitiseHtml(html)
        expect(unexpectedTags(clean)).toBeNull()
        expect(sanitiseHtml(clean)).toBe(clean)
      }),
      { numRuns: isLong ? 15_000 : 1_500 },
    )
  })

  test('escapes everything that nests deeper than browsers do, where each closing tag would cost more than the last', () => {
    for (const html of [
      '<b>'.repeat(19_000) + '</p>'.repeat(50_000),
      '<div>'.repeat(513) + '</x>'.repeat(100),
      '<svg>'.repeat(600),
    ]) {
      const clean = sanitiseHtml(html)
      expect(clean === `<p>${html.replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</p>`).toBe(true)
      expect(sanitiseHtml(clean) === clean).toBe(true)
    }
    expect(sanitiseHtml(`${'<div>'.repeat(512)}deep`)).toBe('deep')
  })

  test('keeps a link of the maximum length, and only the text of a longer one', () => {
    const longest = `https://x.example/${'a'.repeat(2_048 - 18)}`
    expect(sanitiseHtml(`<a href="${longest}">x</a>`)).toContain(longest)
    expect(sanitiseHtml(`<a href="${longest}a">x</a>`)).toBe('x')
  })

  test.skipIf(!hasNaughty)('is idempotent and allows no other tags for every naughty string', () => {
    expect(naughty.length).toBeGreaterThan(400)
    for (const text of naughty) {
      const clean = sanitiseHtml(text)
      expect(unexpectedTags(clean), text).toBeNull()
      expect(sanitiseHtml(clean), text).toBe(clean)
    }
  })
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
    expect(sanitiseHtml(html)).toBe(html)
  })

  test.skipIf(!hasNaughty)('is unchanged by the sanitiser for every naughty string', () => {
    for (const text of naughty) expect(sanitiseHtml(textToHtml(text)), text).toBe(textToHtml(text))
  })
})
