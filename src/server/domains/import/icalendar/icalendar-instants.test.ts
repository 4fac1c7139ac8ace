import { describe, expect, test } from 'vitest'
import { defaultLimits } from '../../../../contract/limits.ts'
import { parseProgram } from '../formats/detect.ts'
import { event, parseCalendar } from '../formats/programs.fixtures.ts'

const times = (...lines: string[]) =>
  parseCalendar(...lines).sessions.map(({ startsAt, endsAt }) => `${startsAt.slice(5, 16)} to ${endsAt.slice(11, 16)}`)

const starts = (...lines: string[]) => parseCalendar(...lines).sessions.map(({ startsAt }) => startsAt.slice(5, 16))

const messages = (...lines: string[]) => parseCalendar(...lines).warnings.map(({ message }) => message)

describe('an event that repeats', () => {
  const west = 'DTSTART;TZID=America/Los_Angeles:20300514T180000'
  const berlin = 'DTSTART;TZID=Europe/Berlin:20300514T100000'
  const daily = 'RRULE:FREQ=DAILY;COUNT=3'

  test.each([
    ['in UTC is an instant', 'UNTIL=20300517T065959Z', ['05-14 18:00', '05-15 18:00', '05-16 18:00']],
    ['without a zone is in that of the start', 'UNTIL=20300516T175959', ['05-14 18:00', '05-15 18:00']],
    ['that is a date includes its day', 'UNTIL=20300515', ['05-14 18:00', '05-15 18:00']],
  ])('ends with its rule: an end %s', (_, until, expected) => {
    expect(starts(...event('1', west, `RRULE:FREQ=DAILY;${until}`))).toEqual(expected)
  })

  test('in UTC is at another time of day after a change of clocks, and one of the venue is not', () => {
    const rule = 'RRULE:FREQ=DAILY;COUNT=2'
    const zone = 'X-WR-TIMEZONE:Europe/Berlin'
    expect(starts(zone, ...event('1', 'DTSTART:20301026T080000Z', rule))).toEqual(['10-26 10:00', '10-27 09:00'])
    expect(starts(...event('1', 'DTSTART;TZID=Europe/Berlin:20301026T100000', rule))).toEqual([
      ...['10-26 10:00', '10-27 10:00'],
    ])
  })

  test('also takes place at its further dates, which may be periods or in another zone', () => {
    const end = 'DTEND;TZID=Europe/Berlin:20300514T110000'
    const dates = ['RDATE;TZID=Europe/Berlin:20300515T140000,20300516T090000', 'RDATE:20300517T080000Z']
    const period = 'RDATE;VALUE=PERIOD;TZID=Europe/Berlin:20300518T090000/PT30M'
    expect(times(...event('1', berlin, end, ...dates, period))).toEqual([
      ...['05-14 10:00 to 11:00', '05-15 14:00 to 15:00', '05-16 09:00 to 10:00', '05-17 10:00 to 11:00'],
      '05-18 09:00 to 09:30',
    ])
  })

  test.each([
    'EXDATE;VALUE=DATE:20300515',
    'EXDATE:20300515T080000Z',
    'EXDATE;TZID=Asia/Tokyo:20300515T170000',
    'EXDATE:20300515T100000',
  ])('leaves out a time by %s', (excluded) => {
    expect(starts(...event('1', berlin, daily, excluded))).toEqual(['05-14 10:00', '05-16 10:00'])
  })

  test('reports a further or excluded date that cannot be read', () => {
    expect(messages(...event('1', berlin, daily, 'EXDATE:never'))).toEqual([
      'Session “Yoga” has an EXDATE that is not a valid date, “never”; it was ignored.',
    ])
  })

  test('is changed at one time, or from one time on, which may be in another zone or a date', () => {
    const four = event('1', berlin, 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=4')
    const changed = (id: string, ...lines: string[]) => event('1', id, ...lines)
    const [later, room] = ['DTSTART;TZID=Europe/Berlin:20300515T103000', 'LOCATION:Garden']
    expect(starts(...four, ...changed('RECURRENCE-ID:20300515T080000Z', later)).sort()).toEqual([
      ...['05-14 10:00', '05-15 10:30', '05-16 10:00', '05-17 10:00'],
    ])
    for (const at of ['TZID=Europe/Berlin:20300515T100000', 'VALUE=DATE:20300515']) {
      const following = changed(`RECURRENCE-ID;RANGE=THISANDFUTURE;${at}`, later, 'DURATION:PT2H', room)
      const { sessions } = parseCalendar(...four, ...following)
      expect(
        sessions
          .map(({ key, startsAt, endsAt, room }) => [key, startsAt.slice(8, 16), endsAt.slice(11, 16), room])
          .sort(),
      ).toEqual([
        ['1', '14 10:00', '11:00', ''],
        ['1/20300515T100000', '15 10:30', '12:30', 'Garden'],
        ['1/20300516T100000', '16 10:30', '12:30', 'Garden'],
        ['1/20300517T100000', '17 10:30', '12:30', 'Garden'],
      ])
    }
  })

  test.each([
    ['FREQ=MONTHLY;BYDAY=2TU;COUNT=3', ['05-14 10:00', '06-11 10:00', '07-09 10:00']],
    ['FREQ=HOURLY;INTERVAL=2;COUNT=3', ['05-14 10:00', '05-14 12:00', '05-14 14:00']],
    ['FREQ=DAILY;BYHOUR=10,15;UNTIL=20300515T120000Z', ['05-14 10:00', '05-14 15:00', '05-15 10:00']],
  ])('is imported by the rule %s', (rule, expected) => {
    expect(starts(...event('1', berlin, `RRULE:${rule}`))).toEqual(expected)
  })
})

test('of several revisions of an event the newest counts, and the plan says so', () => {
  const revision = (sequence: number, hour: string) =>
    event('1', `SEQUENCE:${sequence}`, `DTSTART:20310314T${hour}0000`)
  const lines = [...revision(2, '10'), ...revision(10, '11'), ...revision(1, '09')]
  expect(starts(...lines)).toEqual(['03-14 11:00'])
  expect(messages(...lines)).toEqual([
    'A newer revision of “Yoga” is in line 8; this one was left out.',
    'A newer revision of “Yoga” is in line 8; this one was left out.',
  ])
})

test('the events of a calendar that cancels are cancelled, those of another in the file are not', () => {
  const text = [
    ...['BEGIN:VCALENDAR', ...event('1', 'DTSTART:20310314T080000'), ...event('2', 'DTSTART:20310314T090000')],
    ...['END:VCALENDAR', 'BEGIN:VCALENDAR', 'METHOD:CANCEL'],
    ...[...event('1', 'SEQUENCE:1', 'DTSTART:20310314T080000'), 'END:VCALENDAR'],
  ].join('\n')
  expect(parseProgram(text, 'a.ics', defaultLimits).sessions).toMatchObject([
    { key: '2', cancelled: false },
    { key: '1', cancelled: true },
  ])
})

test.each([
  ['DURATION:PT4H', '2030-10-27 03:00:00'],
  ['DURATION:P1D', '2030-10-28 00:00:00'],
  ['DURATION:P1DT4H', '2030-10-28 04:00:00'],
  ['DURATION:P1W', '2030-11-03 00:00:00'],
  ['DTEND:20301027T020000Z', '2030-10-27 03:00:00'],
])('an event in the night in which clocks are set back, with %s, ends at %s', (end, expected) => {
  const { sessions } = parseCalendar(...event('1', 'DTSTART;TZID=Europe/Berlin:20301027T000000', end))
  expect(sessions[0]?.endsAt).toBe(expected)
})

describe('a time zone', () => {
  const guest = event('2', 'DTSTART:20300514T080000Z')
  const definition = (id: string) => [
    ...['BEGIN:VTIMEZONE', `TZID:${id}`],
    ...['BEGIN:STANDARD', 'DTSTART:16010101T030000', 'TZOFFSETFROM:+0530', 'TZOFFSETTO:+0430'],
    ...['RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10', 'END:STANDARD'],
    ...['BEGIN:DAYLIGHT', 'DTSTART:16010101T020000', 'TZOFFSETFROM:+0430', 'TZOFFSETTO:+0530'],
    ...['RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3', 'END:DAYLIGHT', 'END:VTIMEZONE'],
  ]

  test.each([
    ['of Windows', 'W. Europe Standard Time', [], '05-14 10:00'],
    ['that the file defines', 'Fair Time', definition('Fair Time'), '05-14 13:30'],
    ['with a colon', '(UTC+04:30) Fair', definition('(UTC+04:30) Fair'), '05-14 13:30'],
    ['with the name of a program', '/freeassociation.sourceforge.net/Tzfile/Europe/Berlin', [], '05-14 10:00'],
  ])('%s converts times in UTC', (_, id, lines, expected) => {
    const own = event('1', `DTSTART;TZID=${id}:20300514T090000`)
    expect(starts(...lines, ...own, ...guest)).toEqual(['05-14 09:00', expected])
    expect(messages(...lines, ...own, ...guest)).toEqual([])
  })

  test.each(['UTC', 'Etc/UTC', 'tzone://Microsoft/Utc'])('%s says nothing about the venue', (id) => {
    const lines = ['X-WR-TIMEZONE:Europe/Berlin', ...event('1', `DTSTART;TZID=${id}:20300514T080000`)]
    expect(parseCalendar(...lines)).toMatchObject({
      sessions: [{ startsAt: '2030-05-14 10:00:00' }],
      dateReading: 'Times in UTC were converted to Europe/Berlin.',
      warnings: [],
    })
  })

  test('that the file defines has both its offsets', () => {
    const [summer, winter] = ['20300514T080000Z', '20301214T080000Z'].map((at) => event(at, `DTSTART:${at}`))
    const zone = ['X-WR-TIMEZONE:Fair Time', ...definition('Fair Time')]
    expect(starts(...zone, ...(summer ?? []), ...(winter ?? []))).toEqual(['05-14 13:30', '12-14 12:30'])
  })

  test('that is neither known nor defined is reported, and that of the calendar is used', () => {
    const lines = ['X-WR-TIMEZONE:Europe/Berlin', ...event('1', 'DTSTART;TZID=Narnia:20300514T090000'), ...guest]
    expect(starts(...lines)).toEqual(['05-14 09:00', '05-14 10:00'])
    expect(messages(...lines)).toEqual([
      'The time zone “Narnia” is neither known nor defined in the file; its times were taken as those of Europe/Berlin.',
    ])
  })

  test('is that of the summit if the file has none', () => {
    const text = ['BEGIN:VCALENDAR', ...guest, 'END:VCALENDAR'].join('\n')
    expect(parseProgram(text, 'a.ics', defaultLimits, { timeZone: 'Europe/Berlin' })).toMatchObject({
      sessions: [{ startsAt: '2030-05-14 10:00:00' }],
      dateReading: 'Times in UTC were converted to Europe/Berlin, the time zone of the summit.',
      warnings: [],
    })
  })
})
