import { test } from 'vitest'
import { setUpSharedApp } from '../shared-app.ts'
import { expectParsed } from './json-bodies.ts'

const app = setUpSharedApp()

test.each([
  ...['{}', '[]', ' [] ', '\r\n\t{}', 'null', 'true', '"x"', '-0', '0', '[1,2]', '[[[]]]', '{"a":{"b":[]}}'],
  ...['{"a":1,"a":2}', '{"":0}', '{"\\u0000":0}', '[1.5e10]', '[1E-2]', '[123e65]', '[-1]', '[20e1]'],
  ...['["\\"\\\\\\/\\b\\f\\n\\r\\t"]', '["\\ud83c\\udf72"]', '["\u2028\u2029"]', '["\x7f"]', '["🍲"]', '["\\u0061"]'],
])('a body that is valid JSON is parsed: %j', (body) => expectParsed(app(), body, 'valid'))

test.each([
  ...['', ' ', '{', '}', '[', ']', '[1', '[1,', '[1,]', '[,1]', '[1 2]', '[]]', '{}}', '[}', '{]', '[][]', '{} x'],
  ...['{"a"}', '{"a":}', '{"a" 1}', '{"a":1,}', '{,"a":1}', '{a:1}', "{'a':1}", '{1:1}', '{"a":1 "b":2}'],
  ...['nul', 'True', 'NaN', '-NaN', 'Infinity', 'undefined', '[01]', '[-01]', '[1.]', '[.5]', '[+1]', '[1e]', '[0x1]'],
  ...['[- 1]', '[1,000]', '["\\x"]', '["\\u12"]', '["a\tb"]', '["a\nb"]', '["a\0b"]', '["a', "['a']", '["\\"]'],
  ...['/* x */ {}', '{} // x', '#{}', '\u00a0{}', '\u2060[]', '<name/>', 'name=x', '\0', '[1]\0'],
])('a body that is not JSON is refused: %j', (body) => expectParsed(app(), body, 'invalid'))

test.each([
  ['an escaped lone surrogate', '["\\ud800"]'],
  ['a number that overflows', '[1e400]'],
  ['a byte order mark', '\ufeff{}'],
  ['500 nested arrays', `${'['.repeat(500)}${']'.repeat(500)}`],
  ['invalid UTF-8', Uint8Array.of(0x5b, 0x22, 0xff, 0x22, 0x5d)],
  ['UTF-16', Uint8Array.from(Buffer.from('["x"]', 'utf16le'))],
])('a body whose validity is undefined gets a failure of the client: %s', (_, body) =>
  expectParsed(app(), body, 'undefined'),
)
