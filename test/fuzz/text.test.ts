import { test } from 'vitest'
import { setUpSharedApp } from '../shared-app.ts'
import { textRoundTrips } from './text-round-trips.ts'

const app = setUpSharedApp()

const strings = [
  ...['a\0b', '\ud800', '\u2028\u2029', '\r\n\t', ' x ', '\ufeffx', 'e\u0301 é', '"\\', '%00%zz+&=', '\n-->'],
  ...['😀'.repeat(255), '😀'.repeat(256), '', ' ', '\u200b', '\u2800', 'null', 'undefined', 'true', '0', '-1', '1e3'],
  ...['<script>alert(1)</script>', "'; drop table topic; --", '#{7*7}', '{{7*7}}', '%s%n', '../../etc/passwd'],
  ...['\u202eright to left', 'اَلْعَرَبِيَّة', 'ﷺ', '表ポあA鷗Œé', '👩‍👩‍👧‍👦 🇺🇸 ❤️', 'Z̮̞̠͙͔ͅa̘̫͈l̼͚g̝o', '\x1b[31m', '\x7f\x80', '`ls`'],
]

test.each(Object.entries(textRoundTrips))('unusual text in %s comes back unchanged, or is refused', (_, send) =>
  send(app(), strings),
)
