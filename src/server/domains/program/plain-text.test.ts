import { expect, test } from 'vitest'
import { sanitizeHtml } from '../program/html.ts'
import { toPlainText } from './plain-text.ts'

test.each([
  ['<p>One<br />two</p><p>Three</p>', 'One\ntwo\n\nThree'],
  ['<h3>Head</h3><p>5 &lt; 6 &amp; <em>more</em>  &quot;x&quot;</p>', 'Head\n\n5 < 6 & more "x"'],
  ['<p>List:</p><ul><li>a</li><li>b<ul><li>c</li></ul></li></ul><p>End</p>', 'List:\n\n- a\n- b\n  - c\n\nEnd'],
  ['<ol start="3"><li><p>a</p></li><li>b</li></ol>', '3. a\n4. b'],
  ['<p>See <a href="https://a.example/">this</a>.</p>', 'See this (https://a.example/).'],
  [
    '<p><a href="https://a.example/">a.example</a> <a href="mailto:a@b.example">a@b.example</a></p>',
    'a.example a@b.example',
  ],
  ['<pre><code>a\n  b</code></pre>', 'a\n  b'],
  ['<p>a</p><hr /><p>b</p>', 'a\n\n---\n\nb'],
  ['a\n   b <b> c</b>', 'a b c'],
  ['<p></p>', ''],
  ['', ''],
])('%j is %j as plain text', (fragment, text) => {
  expect(toPlainText(sanitizeHtml(fragment))).toBe(text)
})
