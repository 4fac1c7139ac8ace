import { expect, test } from 'vitest'
import { fold } from './folded-text.ts'

test.each([
  ['Straße', 'STRASSE'],
  ['Crème brûlée', 'creme BRULEE'],
  ['Łukasz Ødegård', 'lukasz odegard'],
  ['Ёлка', 'елка'],
  ['Οδός', 'ΟΔΟΣ'],
  ['İstanbul', 'istanbul'],
  ['ﬁnal', 'final'],
  ['Ｃ＋＋', 'c++'],
  ['ﾒﾀﾞﾙ', 'メダル'],
  ['don’t', "don't"],
  ['co‑op', 'co-op'],
  ['Kultur\u00adhaus', 'kulturhaus'],
  ['Việt Nam', 'viet nam'],
  ['e\u0301te\u0301', 'été'],
])('%s is the same as %s', (one, other) => {
  expect(fold(one)).toBe(fold(other))
})

test.each([
  ['か', 'が'],
  ['ハ', 'パ'],
  ['की', 'क'],
  ['กา', 'ก้า'],
  ['한', '하'],
  ['C', 'C++'],
])('%s is not the same as %s', (one, other) => {
  expect(fold(one)).not.toBe(fold(other))
})

test('a letter with a mark that is none of an accent is not found by the letter alone', () => {
  expect(fold('がっこう').includes(fold('か'))).toBe(false)
  expect(fold('パーティー').includes(fold('ハ'))).toBe(false)
})
