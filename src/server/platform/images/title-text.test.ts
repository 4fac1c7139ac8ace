import { expect, test } from 'vitest'
import { drawableText, initialsOf } from './title-text.ts'
import { openTypeface } from './typeface.ts'

test.each([
  ['Zürich — Café', 'Zürich — Café'],
  ['Привет Ω', 'Привет Ω'],
  ['  two\n\tlines\u00a0here ', 'two lines here'],
  ['Hello👋World', 'Hello World'],
  ['🇩🇪 1️⃣ 👩‍👩‍👧‍👦 Meetup 👍🏽', '1 Meetup'],
  ['会议 2024', ''],
  ['טקס הפתיחה 2030', ''],
  ['Kubernetes と Docker の違い', ''],
  ['「Docker」', ''],
  ['5 ㎏ ㈱', ''],
  ['Grüße คุณ', ''],
  ['a\u0941', ''],
  ['Ｆｕｌｌ 𝒲idth ofﬁce', 'Full Width office'],
  ['soft\u00adhyphen zero\u200bwidth', 'softhyphen zerowidth'],
  ['\u202eright\u0000left', 'right left'],
  ['e\u0301x\u0301\u0302\u0303\u0304', 'éx\u0301\u0302'],
  ['日本語 (・)', ''],
  ['', ''],
])('%j is drawn as %j', async (title, drawn) => {
  expect(drawableText(title, (await openTypeface()).has)).toBe(drawn)
})

test.each([
  ['Opening keynote', 'OK'],
  ['lunch', 'L'],
  ['"The" (future) of data', 'TF'],
  ['— 2 + 3', '23'],
  ['ßtraße über', 'SÜ'],
  ['', ''],
])('the initials of %j are %j', (text, initials) => {
  expect(initialsOf(text)).toBe(initials)
})
