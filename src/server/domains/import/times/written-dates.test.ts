import { expect, test } from 'vitest'
import { readDuration } from './duration.ts'
import { formatWall } from './wall-clock.ts'
import { type DayOrder, readMoment } from './written-dates.ts'

const parse = (cell: string, order: DayOrder = 'day-first') => {
  const moment = readMoment(cell, order)
  if (!moment) return undefined
  const [date, time] = formatWall((moment.date ?? 0) + (moment.time ?? 0)).split(' ')
  return [moment.date === undefined ? '' : date, moment.time === undefined ? '' : time].join(' ').trim()
}

test.each([
  ['2025-12-27', '2025-12-27'],
  ['2025-12-27T10:30:00+01:00', '2025-12-27 10:30:00'],
  ['2025-12-27T10:30Z', '2025-12-27 10:30:00'],
  ['2025-12-27 10:30', '2025-12-27 10:30:00'],
  ['2025/12/27', '2025-12-27'],
  ['27.12.2025', '2025-12-27'],
  ['7.1.25', '2025-01-07'],
  ['27.12.2025 9.30', '2025-12-27 09:30:00'],
  ['27.12.2025, 9:30 Uhr', '2025-12-27 09:30:00'],
  ['Sa. 27.12.2025', '2025-12-27'],
  ['27 Dec 2025', '2025-12-27'],
  ['27-Dec-2025 14:00', '2025-12-27 14:00:00'],
  ['27-Dec-25', '2025-12-27'],
  ['27. Dez 25, 9 Uhr 30', '2025-12-27 09:30:00'],
  ['27DEC2025', '2025-12-27'],
  ['27−12−2025', '2025-12-27'],
  ['2025‑12‑27 – 9:00', '2025-12-27 09:00:00'],
  ['Saturday, December 27, 2025 at 9:00 AM', '2025-12-27 09:00:00'],
  ['1. Mai 2025', '2025-05-01'],
  ['mardi 1er juillet 2025', '2025-07-01'],
  ['3. März 2025', '2025-03-03'],
  ['9:00', '09:00:00'],
  ['09:00:00', '09:00:00'],
  ['9.30', '09:30:00'],
  ['9h30', '09:30:00'],
  ['9:00 AM', '09:00:00'],
  ['12:15 am', '00:15:00'],
  ['12:15 p.m.', '12:15:00'],
  ['9pm', '21:00:00'],
  ['14 Uhr', '14:00:00'],
  ['9 h 30', '09:30:00'],
  ['9:00 a. m.', '09:00:00'],
  ['12 noon', '12:00:00'],
  ['Mitternacht', '00:00:00'],
  ['27 DEC 2025 19:00 (CET)', '2025-12-27 19:00:00'],
])('%s is read as %s', (cell, expected) => {
  expect(parse(cell)).toBe(expected)
})

test.each([
  '',
  'TBD',
  'Day 1',
  'Monday',
  '2025',
  '31.02.2025',
  '2025-13-01',
  '25:00',
  '9:60',
  '13:00 PM',
  '27.12.',
  '0000-00-00',
  '2025-01-01T10:75:00Z',
  'May 2025',
  '27 OCT',
  'Dec 27 25',
  'afternoon',
  '19:00 (Hall)',
])('%s is neither a date nor a time', (cell) => {
  expect(parse(cell)).toBeUndefined()
})

test('a date with slashes is read in the order of the file', () => {
  expect(parse('03/04/2025', 'day-first')).toBe('2025-04-03')
  expect(parse('03/04/2025', 'month-first')).toBe('2025-03-04')
  expect(parse('27/12/2025', 'month-first')).toBeUndefined()
  expect(parse('24/12/01', 'year-first')).toBe('2024-12-01')
  expect(parse('12/01/2024', 'year-first')).toBeUndefined()
})

test.each([
  ['00:30', 30],
  ['1:30:00', 90],
  ['45', 45],
  ['45 min', 45],
  ['20 minutes', 20],
  ['1h 30m', 90],
  ['1.5 hours', 90],
  ['2 Std.', 120],
  ['PT1H15M', 75],
  ['P1D', 1_440],
])('the duration %s is %i minutes', (written, minutes) => {
  expect(readDuration(written)).toBe(minutes * 60_000)
})

test.each(['soon', '-5', 'P', 'PT', '99999999', ''])('%s is not a duration', (written) => {
  expect(readDuration(written)).toBeUndefined()
})
