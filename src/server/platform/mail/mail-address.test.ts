import { expect, test } from 'vitest'
import { cleanMailAddress, isMailAddress, normalizeMailAddress } from './mail-address.ts'

test.each([
  ...['ana.cruz+summit@mail.x-y.example', "o'neil@x.example", 'foo..bar@docomo.example', '.foo.@docomo.example'],
  `${'a'.repeat(64)}@x.example`,
])('%s is an address', (text) => {
  expect(isMailAddress(text)).toBe(true)
})

test.each([
  ...[
    '',
    'a',
    '@x.example',
    'a@',
    'a@b',
    'a b@x.example',
    'a@x..example',
    'a@-x.example',
    'a@[127.0.0.1]',
    '"a b"@x.example',
  ],
  ...[
    'a@x.example\r\nBcc: b@x.example',
    'a@x.example\n',
    'a\r\n@x.example',
    'a@x.example,b@x.example',
    'A <a@x.example>',
  ],
  ...['ä@x.example', 'a@ä.example', 'a@x.example\u0000', 'a@x.example ', `${'a'.repeat(65)}@x.example`],
  `a@${'x.'.repeat(126)}example`,
])('%j is not an address', (text) => {
  expect(isMailAddress(text)).toBe(false)
})

test.each([
  ['ana@summit.example\u200B', 'ana@summit.example'],
  ['\u202Aana@summit.example\u202C', 'ana@summit.example'],
  ['\u00A0 ana@summit.example\u3000\u00A0', 'ana@summit.example'],
  ['ana@summit.example\uFEFF', 'ana@summit.example'],
  ['a\u00ADna@sum\u2060mit.ex\u200Dample', 'ana@summit.example'],
  ['Ana@Müller.example', 'ana@xn--mller-kva.example'],
  ['ana@例え。テスト', 'ana@xn--r8jz45g.xn--zckzah'],
  ['ana@ｓｕｍｍｉｔ.example', 'ana@summit.example'],
])('%j is the address %s', (written, address) => {
  expect(normalizeMailAddress(written)).toBe(address)
  expect(isMailAddress(address)).toBe(true)
})

test.each([
  'ana@ä/b.example',
  'ana@ä%41.example',
  'ana@ä b.example',
  'ana@ä:80.example',
  'a\nb@x.example',
  'ä@x.example',
])('%j does not become an address', (text) => {
  expect(isMailAddress(cleanMailAddress(text))).toBe(false)
})
