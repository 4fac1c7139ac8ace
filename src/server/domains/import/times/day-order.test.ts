import { describe, expect, test } from 'vitest'
import { defaultLimits } from '../../../../contract/limits.ts'
import { parseProgram } from '../formats/detect.ts'
import { decideDayOrder } from './day-order.ts'
import type { DayOrder } from './written-dates.ts'

const decide = (cells: string[], headings: string[] = [], given?: DayOrder) => decideDayOrder(headings, cells, given)

describe('the order of day and month in a file', () => {
  test('is what the organizer says', () => {
    expect(decide(['12/1/24', '12/6/24'], ['Date (MM/DD/YYYY)'], 'day-first')).toEqual({
      order: 'day-first',
      remark: 'Dates such as “12/1/24” are read day first (Friday 12 January 2024), as --dates says.',
    })
    expect(decide(['24/12/01'], [], 'year-first')).toMatchObject({
      order: 'year-first',
      remark: expect.stringContaining('(Sunday 1 December 2024)'),
    })
  })

  test.each([
    ['Date (MM/DD/YYYY)', 'month-first'],
    ['*Date (DD/MM/YYYY)', 'day-first'],
    ['Datum TT.MM.JJJJ', 'day-first'],
    ['Date (JJ/MM/AAAA)', 'day-first'],
    ['date [yy-mm-dd]', 'year-first'],
    ['Month/Day/Year', 'month-first'],
  ] as const)('is what the heading %s says', (heading, order) => {
    expect(decide(['12/01/02'], ['Start', heading])).toMatchObject({
      order,
      remark: expect.stringContaining(`, as “${heading}” says.`),
    })
  })

  test('may be given by an instruction in a cell', () => {
    expect(decide(['mm/dd/yyyy', '12/1/2024'])).toMatchObject({ order: 'month-first' })
  })

  test('is the one that dates with a part above 12 have', () => {
    expect(decide(['03/04/2025', '12/27/2025'])).toEqual({
      order: 'month-first',
      remark:
        'Dates such as “03/04/2025” are read month first (Tuesday 4 March 2025), because “12/27/2025” can only be read so.',
    })
    expect(decide(['03-04-2025', '27-12-2025'])).toMatchObject({ order: 'day-first' })
    expect(decide(['03/04/25', '27/12/25'])).toMatchObject({ order: 'day-first' })
    expect(decide(['03–04–2025', '12−27−2025'])).toMatchObject({ order: 'month-first' })
  })

  test('is otherwise the one with the shorter program', () => {
    expect(decide(['12/1/24', '12/2/24', '12/6/24'])).toEqual({
      order: 'month-first',
      remark:
        'Dates such as “12/1/24” are read month first (Sunday 1 December 2024), because the file then spans 6 days ' +
        'instead of 153 days. If that is wrong, add --dates day-first.',
    })
    expect(decide(['1/12/24', '2/12/24'])).toMatchObject({ order: 'day-first' })
    expect(decide(['24/12/01', '24/12/02', '24/12/03'])).toMatchObject({ order: 'year-first' })
    expect(decide(['03/04/2025', '2025-03-05'])).toMatchObject({ order: 'month-first' })
  })

  test('is otherwise the one with which the file is nearer to the stored program', () => {
    const stored = ['2024-12-02', '2024-12-04'].map((day) => Date.parse(day))
    expect(decideDayOrder([], ['12/1/24'], undefined, stored)).toEqual({
      order: 'month-first',
      remark:
        'Dates such as “12/1/24” are read month first (Sunday 1 December 2024), because the file and the stored program ' +
        'together then span 4 days instead of 328 days. If that is wrong, add --dates day-first.',
    })
    // The file itself decides.
    for (const cells of [
      ['1/12/24', '2/12/24'],
      ['12/1/24', '13/1/24'],
    ])
      expect(decideDayOrder([], cells, undefined, stored)).toMatchObject({ order: 'day-first' })
    // Both are within its days.
    const year = ['2024-01-01', '2024-12-31'].map((day) => Date.parse(day))
    expect(decideDayOrder([], ['12/1/24'], undefined, year).remark).toContain('but nothing in the file says so')
  })

  test('is day first if nothing else tells, and the remark says so', () => {
    expect(decide(['05/05/2025', '03/04/2025', '04/04/2025'].slice(1, 2))).toEqual({
      order: 'day-first',
      remark:
        'Dates such as “03/04/2025” are read day first (Thursday 3 April 2025), but nothing in the file says so. ' +
        'If that is wrong, add --dates month-first.',
    })
  })

  test('is not remarked on if it makes no difference', () => {
    expect(decide(['05/05/2025', '2025-03-04', '3.4.2025', 'Hall 1/2/3'])).toEqual({ order: 'day-first' })
    expect(decide(['9:00', '10:00'])).toEqual({ order: 'day-first' })
  })
})

test('a program is read in the order that its heading gives', () => {
  const text = 'Title,Date (MM/DD/YYYY),Start\nA,03/04/2025,9:00\n'
  const { sessions, warnings, dateReading } = parseProgram(text, 'p.csv', defaultLimits)
  expect(sessions).toMatchObject([{ day: '2025-03-04' }])
  expect(warnings).toEqual([])
  expect(dateReading).toContain('as “Date (MM/DD/YYYY)” says')
  const given = parseProgram(text, 'p.csv', defaultLimits, { dates: 'day-first' })
  expect(given.sessions).toMatchObject([{ day: '2025-04-03' }])
})
