import { describe, expect, test } from 'vitest'
import { defaultLimits } from '../../../../contract/limits.ts'
import { parseProgram } from '../formats/detect.ts'
import { addExactTime, formatWall } from '../times/wall-clock.ts'
import type { ReadingOptions } from './reading-options.ts'

const frab = (zone: string, date: string, duration: string) =>
  `<schedule><conference><time_zone_name>${zone}</time_zone_name></conference><day><room>
    <event id="1"><date>${date}</date><duration>${duration}</duration><title>Dance</title></event></room></day></schedule>`

const frabJson = (zone: string, date: string, duration: string) =>
  JSON.stringify({
    schedule: {
      conference: { time_zone_name: zone, days: [{ rooms: { Hall: [{ id: 1, date, duration, title: 'Dance' }] } }] },
    },
  })

const talks = (timezone: string, slot: object) =>
  JSON.stringify({ timezone, talks: [{ code: 'A', title: 'Dance', slot }] })

const schedule = (timezone: string, slot: object) =>
  JSON.stringify({ timezone, slots: [{ ...slot, submission: { code: 'A', title: 'Dance' } }] })

const grid = (timezone: string, day: string, minute: number, duration: number) =>
  JSON.stringify({ timezone, schedule: { [day]: { [minute]: { Hall: { code: 'A', title: 'Dance', duration } } } } })

function read(text: string, options: ReadingOptions = {}) {
  const { sessions, warnings } = parseProgram(text, 'program', defaultLimits, options)
  return {
    times: sessions.map(({ startsAt, endsAt }) => `${startsAt.slice(0, 16)} ${endsAt.slice(0, 16)}`),
    remarks: warnings.map(({ message }) => message),
  }
}

describe('a duration over a change of clock is exact time', () => {
  const berlin = 'Europe/Berlin'
  const autumn = { times: ['2030-10-27 00:00 2030-10-27 03:00'], remarks: [] }
  const spring = { times: ['2030-03-31 00:00 2030-03-31 05:00'], remarks: [] }

  test.each([
    ['a frab schedule.xml', frab(berlin, '2030-10-27T00:00:00+02:00', '04:00'), autumn],
    ['a frab schedule.xml', frab(berlin, '2030-03-31T00:00:00+01:00', '04:00'), spring],
    ['a frab schedule.json', frabJson(berlin, '2030-10-27T00:00:00+02:00', '04:00'), autumn],
    ['a frab schedule.json', frabJson(berlin, '2030-03-30T23:00:00Z', '04:00'), spring],
    ['pretalx talks', talks(berlin, { start: '2030-10-27T00:00:00+02:00', duration: 240 }), autumn],
    ['pretalx talks', talks(berlin, { start: '2030-03-31T00:00:00+01:00', duration: 240 }), spring],
    ['a pretalx schedule', schedule(berlin, { start: '2030-10-27T00:00:00+02:00', duration: 240 }), autumn],
    ['a pretalx schedule', schedule(berlin, { start: '2030-03-31T00:00:00+01:00', duration: 240 }), spring],
    ['a grid derived from pretalx', grid(berlin, '2030-10-27', 0, 240), autumn],
    ['a grid derived from pretalx', grid(berlin, '2030-03-31', 0, 240), spring],
  ])('in %s', (_, text, expected) => {
    expect(read(text)).toEqual(expected)
  })

  test.each([
    ['a table', 'Title,Start,Duration\nDance,2030-10-27 00:00,4:00'],
    ['a list of JSON', '[{"title": "Dance", "start": "2030-10-27T00:00:00", "duration": "PT4H"}]'],
    ['a frab schedule without a zone', frab('', '2030-10-27T00:00:00+02:00', '04:00')],
  ])('in %s, by the zone of the summit, which is reported', (_, text) => {
    expect(read(text, { timeZone: berlin })).toEqual({
      times: autumn.times,
      remarks: [
        'Session “Dance” lasts over a change of clock in Europe/Berlin; its end was set to 2030-10-27 03:00:00.',
      ],
    })
    for (const timeZone of ['UTC', undefined])
      expect(read(text, { timeZone })).toEqual({ times: ['2030-10-27 00:00 2030-10-27 04:00'], remarks: [] })
  })

  test('and the sum on the clock if the offset of the start shows that the venue is in another zone than the summit', () => {
    expect(read(frab('', '2030-10-27T00:00:00+05:30', '04:00'), { timeZone: berlin })).toEqual({
      times: ['2030-10-27 00:00 2030-10-27 04:00'],
      remarks: [],
    })
  })

  test('from either of the two times that clocks show twice', () => {
    expect(read(frab(berlin, '2030-10-27T02:30:00+02:00', '02:00')).times).toEqual([
      '2030-10-27 02:30 2030-10-27 03:30',
    ])
    expect(read(frab(berlin, '2030-10-27T02:30:00+01:00', '02:00')).times).toEqual([
      '2030-10-27 02:30 2030-10-27 04:30',
    ])
  })

  test('unless the session would end before it starts, by a clock that has been set back', () => {
    const expected = {
      times: ['2030-10-27 02:45 2030-10-27 03:15'],
      remarks: [
        'Session “Dance” ends when clocks have been set back, by which it would end before it starts; its end was set to 2030-10-27 03:15:00, as if they had not.',
      ],
    }
    expect(read(frab(berlin, '2030-10-27T02:45:00+02:00', '00:30'))).toEqual(expected)
    const slot = { start: '2030-10-27T02:45:00+02:00', end: '2030-10-27T02:15:00+01:00' }
    expect(read(talks(berlin, slot))).toEqual(expected)
  })
})

test.each([
  ['Europe/Berlin', '2030-03-31T01:30:00', 1, '2030-03-31 03:30:00'],
  ['Europe/Berlin', '2030-10-27T01:30:00', 2, '2030-10-27 02:30:00'],
  ['Europe/Berlin', '2030-05-14T23:30:00', 2, '2030-05-15 01:30:00'],
  ['America/New_York', '2030-11-03T00:00:00', 4, '2030-11-03 03:00:00'],
  ['Australia/Lord_Howe', '2030-04-07T00:00:00', 4, '2030-04-07 03:30:00'],
])('in %s, %s and %i hours are %s', (zone, start, hours, end) => {
  expect(formatWall(addExactTime(Date.parse(`${start}Z`), hours * 3_600_000, zone))).toBe(end)
})

describe('a duration of a schedule', () => {
  test.each([
    ['04:00', '2030-05-14 14:00', []],
    ['26:30', '2030-05-15 12:30', []],
    ['1:02:30', '2030-05-15 12:30', ['26 h 30 min']],
    ['2:00:00', '2030-05-16 10:00', ['48 h 0 min']],
    ['0:01:30', '2030-05-14 11:30', ['1 h 30 min']],
  ])('of %s ends at %s; in three parts it has days, which is reported', (duration, end, readings) => {
    for (const file of [frab, frabJson])
      expect(read(file('Europe/Berlin', '2030-05-14T10:00:00+02:00', duration))).toEqual({
        times: [`2030-05-14 10:00 ${end}`],
        remarks: readings.map(
          (reading) => `The duration “${duration}” of session “Dance” was read as days, hours and minutes: ${reading}.`,
        ),
      })
  })

  test('has seconds if another one of the schedule can be nothing else', () => {
    const event = (id: number, duration: string) =>
      `<event id="${id}"><date>2030-05-14T10:00:00+02:00</date><duration>${duration}</duration><title>T</title></event>`
    const { times, remarks } = read(
      `<schedule><conference/><day><room>${event(1, '01:00:00')}${event(2, '00:45:00')}</room></day></schedule>`,
    )
    expect(times).toEqual(['2030-05-14 10:00 2030-05-14 11:00', '2030-05-14 10:00 2030-05-14 10:45'])
    expect(remarks).toEqual([
      'The duration “01:00:00” of session “T” was read as hours, minutes and seconds.',
      'The duration “00:45:00” of session “T” was read as hours, minutes and seconds.',
    ])
  })
})
