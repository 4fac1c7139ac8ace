import { expect, test } from 'vitest'
import { cpuTime } from '../../../../test/cpu-time.ts'
import { event, parseCalendar } from './icalendar.fixtures.ts'

test('a hostile calendar takes time in proportion to its length', () => {
  const started = cpuTime()
  for (const text of ['DESCRIPTION:x', ' x', 'x', 'BEGIN:VEVENT', 'A;B="', 'ATTENDEE;CN=x:y', 'X;'.repeat(100)])
    parseCalendar(...event('1', 'DTSTART:20310314T080000', ...Array(50_000).fill(text)))
  const many = parseCalendar(
    ...Array.from({ length: 1_000 }, (_, n) =>
      event(`${n}`, 'DTSTART:20310314T080000', 'RRULE:FREQ=DAILY;COUNT=100'),
    ).flat(),
  )
  expect(many.sessions.length).toBeLessThanOrEqual(3_000)
  expect(cpuTime() - started).toBeLessThan(5_000)
})
