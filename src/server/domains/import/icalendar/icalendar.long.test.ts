import { expect, test } from 'vitest'
import { cpuTime } from '../../../../../test/cpu-time.ts'
import { event, parseCalendar } from '../formats/programs.fixtures.ts'

const start = 'DTSTART;TZID=Europe/Berlin:20310314T080000'
const repeated = (count: number, lines: (n: number) => readonly string[]) =>
  Array.from({ length: count }, (_, n) => lines(n)).flat()

test.each([
  ...['DESCRIPTION:x', ' x', 'x', 'BEGIN:VEVENT', 'BEGIN:STANDARD', 'A;B="', 'ATTENDEE;CN=x:y', 'X;'.repeat(100)],
  ...['RDATE:20310101T000000', 'EXDATE:20310101', 'EXDATE:x', 'RRULE:FREQ=DAILY;INTERVAL=7;BYDAY=TU'],
])('a calendar with 50,000 lines %s takes time in proportion to its length', (line) => {
  const started = cpuTime()
  parseCalendar(...event('1', start, ...Array(50_000).fill(line)))
  expect(cpuTime() - started).toBeLessThan(5_000)
})

test.each([
  ['with rules', repeated(1_000, (n) => event(`${n}`, start, 'RRULE:FREQ=DAILY;COUNT=100'))],
  ['with rules that never match', repeated(1_000, (n) => event(`${n}`, start, 'RRULE:FREQ=DAILY;INTERVAL=7;BYDAY=TU'))],
  [
    'that change one',
    repeated(10_000, (n) => event('1', start, ['RRULE:FREQ=DAILY', 'RECURRENCE-ID:20310315'][n % 2] ?? '')),
  ],
  ['in zones of their own', repeated(10_000, (n) => event(`${n}`, `DTSTART;TZID=/a/b/c${n}:20310314T080000`))],
  [
    'in zones that the file defines, with rules that never match',
    [
      ...repeated(100, (n) => [
        ...['BEGIN:VTIMEZONE', `TZID:z${n}`, 'BEGIN:STANDARD', 'DTSTART:00010101T000000', 'TZOFFSETFROM:+0100'],
        ...['TZOFFSETTO:+0200', 'RRULE:FREQ=YEARLY;BYDAY=SU;BYMONTH=2;BYMONTHDAY=30', 'END:STANDARD', 'END:VTIMEZONE'],
      ]),
      ...repeated(100, (n) => event(`${n}`, `DTSTART;TZID=z${n}:20310314T080000`)),
    ],
  ],
  [
    'in zones that the file defines, with many changes of clock',
    [
      ...repeated(20, (n) => [
        ...['BEGIN:VTIMEZONE', `TZID:z${n}`],
        ...repeated(12, () => [
          ...['BEGIN:STANDARD', 'DTSTART:16010101T000000', 'TZOFFSETFROM:+0100', 'TZOFFSETTO:+0200'],
          ...['RRULE:FREQ=YEARLY;BYMONTH=1,2,3,4,5,6,7,8,9,10,11,12;BYDAY=MO,TU,WE,TH,FR,SA,SU', 'END:STANDARD'],
        ]),
        'END:VTIMEZONE',
      ]),
      ...repeated(1_000, (n) => event(`${n}`, `DTSTART;TZID=z${n % 20}:20310314T080000`)),
    ],
  ],
  [
    'in a zone that the file defines, with a list of 50,000 changes of clock',
    [
      ...['BEGIN:VTIMEZONE', 'TZID:z', 'BEGIN:STANDARD', 'DTSTART:19700101T000000', 'TZOFFSETFROM:+0100'],
      `RDATE:${repeated(50_000, (n) => [`${2000 + (n % 500)}0101T${String(n % 24).padStart(2, '0')}0000`]).join()}`,
      ...['TZOFFSETTO:+0200', 'END:STANDARD', 'END:VTIMEZONE'],
      ...repeated(5_000, (n) => event(`${n}`, 'DTSTART;TZID=z:20310314T080000')),
    ],
  ],
  [
    'after components within components, and other ends',
    [...Array(50_000).fill('BEGIN:X'), ...Array(50_000).fill('END:Y'), ...event('1', start)],
  ],
  ['with 100,000 parameters', event('1', start, `ATTENDEE${';A=b'.repeat(100_000)}:x`)],
])('a calendar of many events %s is imported within seconds', (_, lines) => {
  const started = cpuTime()
  expect(parseCalendar(...lines).sessions.length).toBeLessThanOrEqual(10_000)
  expect(cpuTime() - started).toBeLessThan(5_000)
})
