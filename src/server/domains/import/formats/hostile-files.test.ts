import { describe, expect, test } from 'vitest'
import { defaultLimits } from '../../../../contract/limits.ts'
import { parseProgram } from './detect.ts'
import { expectJsonWarning } from './hostile-files.fixtures.ts'

test.each([900, 2_500, 10_000, 100_000])('XML of %i levels is read, or rejected with the reason', (levels) => {
  const deep = (name: string, content: string) => `<${name}>`.repeat(levels) + content + `</${name}>`.repeat(levels)
  const event = (text: string) => `<event id="1"><date>2030-05-14T09:00:00</date><title>${text}</title></event>`
  for (const inside of [event(deep('b', 'A')), deep('room', event('A'))]) {
    const { sessions, warnings } = parseProgram(`<schedule>${inside}</schedule>`, 'a.xml', defaultLimits)
    const [reason] = warnings.map(({ message }) => message)
    expect(levels < 1_000 ? sessions[0]?.title : reason).toBe(levels < 1_000 ? 'A' : 'The XML is nested too deeply.')
  }
})

test('JSON with comments is rejected', () => {
  expect(parseProgram('{\n/* x */ "results": []}', 'a.json', defaultLimits).warnings).toMatchObject([
    { line: 2, message: expect.stringContaining('not valid JSON') },
  ])
})

describe('JSON without a program', () => {
  test.each([
    '{}',
    '[]',
    ' [ ] \n',
    '[[],[[]]]',
    '{"a":{"a":{}}}',
    '{"":0}',
    '{"a":1,"a":2}',
    '[1e1,-0,0.5E-2,123456789012345678901234567890]',
    '["\\u0000\\u001f\\uD83D\\uDE00\\/\\"\\\\"]',
    '["\u2028 \u2029 \u007f"]',
    '[true,false,null]',
    '{"title":"x","results":7}',
  ])('that is valid gets a warning that does not call it invalid: %s', (text) =>
    expectJsonWarning(text, 'a.json', true),
  )

  test.each([
    '{',
    '[',
    '[1',
    '[1,]',
    '[,1]',
    '[1 2]',
    '[1]]',
    '{"a":1,}',
    '{"a" 1}',
    '{"a":}',
    '{a:1}',
    "{'a':1}",
    '{"a":1 "b":2}',
    '{"a":1}}',
    '[01]',
    '[1.]',
    '[.5]',
    '[+1]',
    '[1e]',
    '[0x1]',
    '[NaN]',
    '[tru]',
    '["a\nb"]',
    '["\\x"]',
    '["\\u12"]',
    '["a]',
    '[1]#',
    '[\0]',
    '{"a":[}]',
  ])('that is invalid gets one warning: %j', (text) => expectJsonWarning(text, 'a.json', false))
})
