import { describe, expect, test } from 'vitest'
import { defaultLimits } from '../../../../contract/limits.ts'
import { parseProgram } from '../formats/detect.ts'
import type { ReadingOptions } from '../sessions/reading-options.ts'

const parse = (lines: string[], options: ReadingOptions = {}) =>
  parseProgram(lines.join('\n'), 'program.csv', defaultLimits, options)

/** The start and end of each session, with `+` for the next day, and the remarks about them. */
function read(lines: string[], options?: ReadingOptions) {
  const { sessions, warnings } = parse(lines, options)
  const clock = (wall: string, day: string) => `${wall.startsWith(day) ? '' : '+'}${wall.slice(11, 16)}`
  return {
    times: sessions.map(({ startsAt, endsAt, day }) => `${clock(startsAt, day)} ${clock(endsAt, day)}`),
    remarks: warnings.map(({ line, message }) => `${line}: ${message}`),
  }
}

const oneCell = (cell: string, options?: ReadingOptions) =>
  read(['Title,Date,Time', `Opening,2030-05-14,"${cell}"`], options)

const twoCells = (start: string, end: string, options?: ReadingOptions) =>
  read(['Title,Date,Start,End', `Opening,2030-05-14,"${start}","${end}"`], options)

describe('a cell with a start and an end', () => {
  test.each([
    ['9–9:45', '09:00 09:45'],
    ['9–10', '09:00 10:00'],
    ['9-10', '09:00 10:00'],
    ['9 – 9.45 Uhr', '09:00 09:45'],
    ['14 Uhr – 15 Uhr 30', '14:00 15:30'],
    ['9h-10h30', '09:00 10:30'],
    ['9 h à 10 h 30', '09:00 10:30'],
    ['9:00 − 10:00', '09:00 10:00'],
    ['9:00 ‒ 10:00', '09:00 10:00'],
    ['9：00～10：00', '09:00 10:00'],
    ['from 9 to 10:30', '09:00 10:30'],
    ['von 9 bis 10 Uhr', '09:00 10:00'],
    ['9:00 a. m. – 9:45 a. m.', '09:00 09:45'],
    ['11 – noon', '11:00 12:00'],
    ['12 noon - 13:00', '12:00 13:00'],
    ['10 PM - midnight', '22:00 +00:00'],
    ['10:00 - 00:00', '10:00 +00:00'],
    ['10 pm–1 am', '22:00 +01:00'],
    ['2030-05-14 09:00 – 2030-05-14 10:30', '09:00 10:30'],
    ['Tuesday, May 14, 2030 9:00 AM - Tuesday, May 14, 2030 10:00 AM', '09:00 10:00'],
    ['14 May 2030, 9–10 Uhr', '09:00 10:00'],
    ['2030-05-14 09:00–10:00', '09:00 10:00'],
    ['09:00:00 - 10:00:00', '09:00 10:00'],
  ])('is read: %s', (cell, times) => {
    expect(oneCell(cell)).toEqual({ times: [times], remarks: [] })
  })

  test('that may also be a time with an offset is a range if the end is later, which is reported', () => {
    expect(oneCell('2030-05-14 09:00-10:00')).toEqual({
      times: ['09:00 10:00'],
      remarks: [
        '2: Session “Opening” is at “2030-05-14 09:00-10:00”, which was read as 09:00 to 10:00, not as a time with an offset.',
      ],
    })
    expect(oneCell('2030-05-14 09:00-05:00')).toEqual({
      times: ['09:00 09:00'],
      remarks: [expect.stringContaining('their UTC offset was ignored')],
    })
  })

  test('is read in the order of day and month that its date has, which is reported', () => {
    const { sessions, dateReading } = parse(['Title,Time', 'A,12/1/24 9–10', 'B,12/6/24 9–10'])
    expect(sessions.map(({ day }) => day)).toEqual(['2024-12-01', '2024-12-06'])
    expect(dateReading).toContain('Dates such as “12/1/24 9–10” are read month first')
  })

  test('belongs to its own date and not to one above it', () => {
    expect(read(['Title,Date,Time', 'A,2030-05-13,9–10', 'B,,14 May 2030 9–10'])).toEqual({
      times: ['09:00 10:00', '09:00 10:00'],
      remarks: [],
    })
  })

  test('may be in the column of the date', () => {
    expect(read(['Title,Date', 'Opening,14.5.2030 9–10 Uhr'])).toEqual({ times: ['09:00 10:00'], remarks: [] })
  })

  test.each(['noonish', '9-10-11 am', '25:00 - 26:00', '9:75 – 10:00', '9:00 / 9:45', '1300', '9'])(
    'that is not one is reported with its text: %s',
    (cell) => {
      expect(oneCell(cell)).toEqual({
        times: [],
        remarks: [`2: Session “Opening” starts at “${cell}”, which is not a valid date or time; skipped.`],
      })
    },
  )

  test('has no day, so a column of hours is not taken as one', () => {
    const options = { firstDay: Date.parse('2030-05-14') }
    expect(oneCell('3-4 PM', options).times).toEqual(['15:00 16:00'])
    expect(oneCell('9-10', options).times).toEqual(['09:00 10:00'])
  })
})

describe('AM or PM at one of two times', () => {
  test.each([
    ['9:00', '9:45 am', '09:00 09:45'],
    ['1:00', '2:30 PM', '13:00 14:30'],
    ['3', '4 PM', '15:00 16:00'],
    ['10', '11:30 pm', '22:00 23:30'],
    ['12', '1 PM', '12:00 13:00'],
    ['12:30', '1 AM', '00:30 01:00'],
    // The other half of the day, because the session would end before it starts.
    ['11:30', '12:30 PM', '11:30 12:30'],
    ['9', '5 PM', '09:00 17:00'],
    ['11:30', '12:30 AM', '23:30 +00:30'],
    ['11:00 AM', '1:00', '11:00 13:00'],
    ['1 PM', '2:30', '13:00 14:30'],
    ['10:00 PM', '2:00', '22:00 +02:00'],
  ])('is that of both if it can be, which is reported: %s to %s', (start, end, times) => {
    const written = (cell: string) =>
      `2: Session “Opening” has AM or PM at one time only, “${cell}”; it was read as ${times.replace(' ', ' to ').replace('+', '')}.`
    expect(oneCell(`${start}-${end}`)).toEqual({ times: [times], remarks: [written(`${start}-${end}`)] })
    if (!/\d$/.test(end) || end.includes(':'))
      expect(twoCells(start, end)).toEqual({ times: [times], remarks: [written(`${start} – ${end}`)] })
  })

  test.each([
    ['13:00', '2:30 PM', '13:00 14:30'],
    ['0:30', '1:30 AM', '00:30 01:30'],
    ['2030-05-14T09:00', '2:30 PM', '09:00 14:30'],
    ['0.375', '2:30 PM', '09:00 14:30'],
    ['10:00 PM', '2030-05-15 4:00', '22:00 +04:00'],
  ])('does not change a time of 24 hours or of another day: %s to %s', (start, end, times) => {
    expect(twoCells(start, end)).toEqual({ times: [times], remarks: [] })
  })
})

describe('an open end', () => {
  test.each([
    'ab 19:00',
    'from 19:00',
    'ab 19 Uhr',
    'dès 19h',
    '19:00 – open end',
    '19:00 -',
    '19:00+',
    '19:00 till late',
  ])('leaves the end at the start, which is reported: %s', (cell) => {
    expect(oneCell(cell)).toEqual({
      times: ['19:00 19:00'],
      remarks: [`2: Session “Opening” has an open end, “${cell}”; its end was set to its start.`],
    })
  })

  test.each(['open end', 'Ende offen', 'late', '?', '–'])('may be said in the column of ends: %s', (end) => {
    expect(twoCells('19:00', end)).toEqual({
      times: ['19:00 19:00'],
      remarks: [`2: Session “Opening” has an open end, “19:00 – ${end}”; its end was set to its start.`],
    })
  })

  test('is given by a duration, if there is one', () => {
    expect(read(['Title,Date,Start,Duration', 'Opening,2030-05-14,ab 19:00,90'])).toEqual({
      times: ['19:00 20:30'],
      remarks: [],
    })
  })
})

describe('a time zone behind a time', () => {
  const ignored = (zone: string) =>
    `2: Times with “${zone}” were read as local time at the venue; their time zone was ignored.`

  test.each([
    ['19:00 CET', 'CET'],
    ['19:00 (CET)', 'CET'],
    ['19:00 Uhr MESZ', 'MESZ'],
    ['7:00 PM UTC+1', 'UTC+1'],
    ['19:00Z', 'Z'],
    ['19:00+02:00', '+02:00'],
    ['14 May 2030 19:00 PST', 'PST'],
    ['7 pm Eastern Time', 'Eastern Time'],
    ['19:00 Europe/Berlin', 'Europe/Berlin'],
  ])('is ignored and reported: %s', (cell, zone) => {
    expect(oneCell(cell)).toEqual({ times: ['19:00 19:00'], remarks: [ignored(zone)] })
  })

  test('is reported once for each zone', () => {
    const lines = ['Title,Date,Time', 'A,2030-05-14,9–10 CET', 'B,2030-05-14,10–11 CET', 'C,2030-05-14,10:00 GMT']
    expect(read(lines).remarks).toEqual([ignored('CET'), ignored('GMT').replace('2:', '4:')])
  })

  test.each([
    ['Europe/Berlin', 'CET'],
    ['Europe/Berlin', 'CEST'],
    ['Europe/Berlin', 'MESZ'],
    ['Europe/Berlin', 'UTC+2'],
    ['Europe/Berlin', '+02:00'],
    ['Europe/Berlin', 'Europe/Berlin'],
    ['America/New_York', 'ET'],
    ['America/New_York', 'EDT'],
    ['Asia/Kolkata', 'IST'],
  ])('that the summit in %s has is not remarked on: %s', (timeZone, zone) => {
    expect(oneCell(`19:00 (${zone})`, { timeZone })).toEqual({ times: ['19:00 19:00'], remarks: [] })
  })

  test('that the summit does not have is reported with that of the summit', () => {
    for (const zone of ['EST', 'UTC+1', 'GMT'])
      expect(oneCell(`19:00 ${zone}`, { timeZone: 'Europe/Berlin' }).remarks).toEqual([
        `${ignored(zone)} The summit is in Europe/Berlin.`,
      ])
    // The default says nothing.
    expect(oneCell('19:00 UTC', { timeZone: 'UTC' }).remarks).toEqual([ignored('UTC')])
  })
})

test('a session that starts at midnight is in the night after its date, which is reported', () => {
  expect(oneCell('midnight – 2 AM')).toEqual({
    times: ['+00:00 +02:00'],
    remarks: ['2: Session “Opening” starts at “midnight – 2 AM”, which was read as the end of 2030-05-14.'],
  })
})

describe('a start that is written once for several rows', () => {
  const remark = (title: string, line: number) =>
    `${line}: Rows without a start, such as that of session “${title}”, were given the start above them.`

  test('applies to the rows below on the same day that have a room, which is reported', () => {
    const lines = [
      'Title,Date,Start,End,Room',
      'A,2030-05-14,9:00,10:00,Hall',
      'B,2030-05-14,,,Lobby',
      'C,2030-05-14,,9:30,Attic',
      'D,2030-05-14,,,Hall',
      'E,2030-05-14,,,',
      'F,2030-05-15,,,Lobby',
      'G,2030-05-15,10:00,11:00,Hall',
    ]
    expect(read(lines)).toEqual({
      times: ['09:00 10:00', '09:00 10:00', '09:00 09:30', '09:00 10:00', '10:00 11:00'],
      remarks: [
        remark('B', 3),
        ...['E', 'F'].map((title, index) => `${index + 6}: Session “${title}” has a date but no start time; skipped.`),
      ],
    })
  })

  test('and so does a date', () => {
    const lines = ['Date,Time,Title', '14 May 2030,9–10 am,A', ',,B', ',10–11 am,C', '15 May 2030,,D']
    const { times, remarks } = read(lines)
    expect(times).toEqual(['09:00 10:00', '09:00 10:00', '10:00 11:00'])
    expect(remarks).toContain(remark('B', 3))
    expect(remarks).toContain('5: Session “D” has a date but no start time; skipped.')
  })

  test('does not apply to an event of a whole day', () => {
    const lines = [
      'Title,Start date,Start,End date,End',
      'A,2030-05-14,9:00,2030-05-14,10:00',
      'B,2030-05-14,,2030-05-15,',
    ]
    expect(read(lines)).toEqual({
      times: ['09:00 10:00'],
      remarks: ['3: Session “B” has a date but no start time; skipped.'],
    })
  })

  test('may be in a row of its own', () => {
    const lines = ['Title,Date,Time,Room', ',2030-05-14,,', ',,9-10,', 'A,,,Hall', 'B,,,Lobby', ',,10-11,', 'C,,,Hall']
    expect(read(lines)).toMatchObject({ times: ['09:00 10:00', '09:00 10:00', '10:00 11:00'] })
  })

  test.each([
    ['where starts are repeated', ['A,2030-05-14,9:00,R', 'B,2030-05-14,9:00,S', 'C,2030-05-14,,T']],
    ['of an unplaced session', ['A,2030-05-14,9:00,R', 'B,2030-05-14,10:00,S', 'C,2030-05-14,,']],
  ])('an empty start %s is an omission', (_, rows) => {
    expect(read(['Title,Date,Start,Room', ...rows]).remarks).toEqual([
      '4: Session “C” has a date but no start time; skipped.',
    ])
  })

  test('an empty timestamp of a list without rooms, or in the same room, and an empty start in JSON are omissions', () => {
    expect(read(['Title,Start', 'A,2030-05-14 9:00', 'B,']).remarks).toEqual(['3: Session “B” has no date; skipped.'])
    expect(read(['Title,Start,Room', 'A,2030-05-14 9:00,Hall', 'B,,Hall', 'C,,Bar'])).toEqual({
      times: ['09:00 09:00', '09:00 09:00'],
      remarks: ['3: Session “B” has no date; skipped.', remark('C', 4)],
    })
    const list = [
      { title: 'A', date: '2030-05-14', start: '9:00' },
      { title: 'B', date: '2030-05-14', start: null },
    ]
    expect(read([JSON.stringify(list)]).remarks).toEqual(['1: Session “B” has a date but no start time; skipped.'])
  })
})

describe('a time without AM or PM that may be of the afternoon', () => {
  const header = 'Title,Date,Start,End'

  test('is of the night if it is the start, which is reported with what to write', () => {
    const advice = (written: string, clock: string, noon: string, pm: string) =>
      `Session “A” starts at “${written}”, which was read as ${clock}, at night. If it is in the afternoon, write ${noon} or ${pm}.`
    expect(read([header, 'A,2030-05-14,1:00,2:00'])).toEqual({
      times: ['01:00 02:00'],
      remarks: [`2: ${advice('1:00', '01:00', '13:00', '1:00 PM')}`],
    })
    expect(oneCell('2:30').remarks).toEqual([expect.stringContaining('write 14:30 or 2:30 PM.')])
    expect(oneCell('5–6').remarks).toEqual([expect.stringContaining('write 17:00 or 5:00 PM.')])
  })

  test.each(['1:00 AM', '6:00', '12:00', '0:30', '13:00', '2030-05-15 01:00'])('is certain: %s', (start) => {
    expect(read([header, `A,2030-05-14,${start},`]).remarks).toEqual([])
  })

  test.each([
    ['12:00', '01:00', 'write 13:00 or 1:00 PM'],
    ['11:30', '01:15', 'write 13:15 or 1:15 PM'],
  ])('is named with what to write if it is an end before the start: %s – %s', (start, end, advice) => {
    expect(read([header, `A,2030-05-14,${start},${end}`])).toEqual({
      times: [],
      remarks: [
        `2: Session “A” ends at ${end}, before it starts at ${start}. If it ends in the afternoon, ${advice}; skipped.`,
      ],
    })
  })
})
