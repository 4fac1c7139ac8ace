import { expect, test } from 'vitest'
import { cpuTime } from '../../../../test/cpu-time.ts'
import { defaultLimits } from '../../../contract/limits.ts'
import { parseProgram } from './detect.ts'

const parse = (...lines: string[]) =>
  parseProgram(['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR'].join('\r\n'), 'a.ics', defaultLimits)
const event = (uid: string, ...lines: string[]) => [
  'BEGIN:VEVENT',
  `UID:${uid}`,
  'SUMMARY:Yoga',
  ...lines,
  'END:VEVENT',
]

test('a hostile calendar takes time in proportion to its length', () => {
  const started = cpuTime()
  for (const text of ['DESCRIPTION:x', ' x', 'x', 'BEGIN:VEVENT', 'A;B="', 'ATTENDEE;CN=x:y', 'X;'.repeat(100)])
    parse(...event('1', 'DTSTART:20310314T080000', ...Array(50_000).fill(text)))
  const many = parse(
    ...Array.from({ length: 1_000 }, (_, n) =>
      event(`${n}`, 'DTSTART:20310314T080000', 'RRULE:FREQ=DAILY;COUNT=100'),
    ).flat(),
  )
  expect(many.sessions.length).toBeLessThanOrEqual(3_000)
  expect(cpuTime() - started).toBeLessThan(5_000)
})
