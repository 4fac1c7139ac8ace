import { describe, expect, test } from 'vitest'
import { cpuTime } from '../../../../../test/cpu-time.ts'
import { defaultLimits } from '../../../../contract/limits.ts'
import { parseProgram } from '../formats/detect.ts'
import { event, parseCalendar, parseFixture, speakerWith } from '../formats/programs.fixtures.ts'

const starts = (...lines: string[]) => parseCalendar(...lines).sessions.map(({ startsAt }) => startsAt.slice(0, 16))

describe('a calendar', () => {
  const { format, conference, sessions, warnings } = parseFixture('calendar.ics')

  test('is read, with times of the venue, speakers among its attendees, and cancelled events', () => {
    expect(format).toBe('iCalendar')
    expect(sessions.slice(0, 2)).toMatchObject([
      {
        ...{ key: 'open@makers.example', line: 14, title: 'Opening, with coffee', room: 'Gletscher', speakers: [] },
        ...{ startsAt: '2031-03-14 09:00:00', endsAt: '2031-03-14 09:30:00' },
        description: '<p>Welcome to everyone<br />Bring a cup; the kitchen is open.</p>',
      },
      {
        ...{ title: 'Snow, Measured', startsAt: '2031-03-14 10:15:00', endsAt: '2031-03-14 11:00:00' },
        speakers: [speakerWith({ name: 'Tadeo Brunner' })],
      },
    ])
    expect(sessions.filter(({ cancelled }) => cancelled)).toMatchObject([{ title: 'Lift Tour' }])
  })

  test('has the name of the conference, and pages, tags and files of its events', () => {
    expect(conference).toMatchObject({ title: 'Alpine Makers Days, 2031', timeZone: 'Europe/Zurich' })
    expect(sessions.slice(0, 2)).toMatchObject([
      {
        ...{ tags: ['Plenary', 'For all'], track: '', guid: '' },
        links: [{ rel: 'page', title: '', url: 'https://makers.example/opening' }],
      },
      {
        tags: ['Science', 'Snow, ice'],
        links: [{ rel: 'attachment', title: 'snow.pdf', url: 'https://makers.example/media/7' }],
      },
    ])
    expect(sessions.find(({ title }) => title === 'Lift Tour')).toMatchObject({
      ...{ key: '8F5BC16D-A582-5ED3-9143-AC2BCAF6B45F', guid: '8f5bc16d-a582-5ed3-9143-ac2bcaf6b45f' },
      description: '<p>Bring <b>gloves</b>, please.</p>',
    })
  })

  test('has an event for each time that one repeats, except those left out or changed', () => {
    expect(
      sessions.filter(({ title }) => title.startsWith('Yoga')).map(({ key, startsAt }) => [key, startsAt]),
    ).toEqual([
      ['yoga@makers.example', '2031-03-14 07:00:00'],
      ['yoga@makers.example/20310317T070000', '2031-03-17 07:00:00'],
      ['yoga@makers.example/20310315T070000', '2031-03-15 07:30:00'],
    ])
  })

  test('reports an event of a whole day', () => {
    expect(warnings).toMatchObject([
      { line: 71, message: 'Session “Alpine Makers Days” has a date but no start time; skipped.' },
    ])
  })
})

test('a malformed calendar is read, and every guess is reported', () => {
  const { sessions, warnings } = parseFixture('malformed.ics')
  expect(sessions).toMatchObject([
    {
      ...{ key: '', title: 'Opening', room: 'Gletscher' },
      ...{ startsAt: '2031-03-14 09:00:00', endsAt: '2031-03-14 09:30:00' },
      description: expect.stringMatching(
        /^<p>The first line of a long text,<br \/>which.*makers\.example\/opening.*Note: bring a cup<\/p>$/,
      ),
    },
    { key: '', room: 'Lärche', startsAt: '2031-03-14 10:15:00' },
  ])
  expect(warnings.map(({ line, message }) => `${line}: ${message}`)).toEqual([
    '3: “VTIMEZONE: Europe/Zurich” is not a property of iCalendar; it was taken as the time zone.',
    '4: 3 events with different titles have the same UID (1); it was ignored, and they are identified by their titles.',
    '10: 3 lines from here on are neither a property nor indented; added to the text above.',
    '15: The event has no END:VEVENT; it was read up to the next one.',
    '20: Session “Undecided” starts at “soon”, which is not a valid date and time; skipped.',
  ])
})

test('only the first time that an event repeats has its guid', () => {
  const uid = '8f5bc16d-a582-5ed3-9143-ac2bcaf6b45f'
  const { sessions } = parseCalendar(...event(uid, 'DTSTART:20310314T080000', 'RRULE:FREQ=DAILY;COUNT=3'))
  expect(sessions.map(({ guid }) => guid)).toEqual([uid, '', ''])
  const twice = parseCalendar(...event(uid, 'DTSTART:20310314T080000'), ...event(uid, 'DTSTART:20310315T080000'))
  expect(twice.sessions.map(({ guid }) => guid)).toEqual([uid, ''])
})

test.each([
  ['X-WR-CALNAME:ana@example.com', undefined],
  ['NAME:Alpine\\, Makers', 'Alpine, Makers'],
  ['X-WR-CALNAME: ', undefined],
])('the calendar with %s has the title %s', (line, title) => {
  expect(parseCalendar(line, ...event('1', 'DTSTART:20310314T080000')).conference?.title).toBe(title)
})

test('a text that is only HTML is read; next to plain text it repeats that', () => {
  const html =
    'X-ALT-DESC;FMTTYPE=text/html:<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2//EN">\\n<HTML>\\n<HEAD>\\n<TITLE></TITLE>\\n</HEAD>\\n<BODY>\\n<P>Bring <I>gloves</I>\\; `code`</P>\\n</BODY>\\n</HTML>'
  const first = event('1', 'DTSTART:20310314T080000', html)
  const second = event('2', 'DTSTART:20310314T090000', 'DESCRIPTION:Bring gloves', html)
  expect(parseCalendar(...first, ...second).sessions.map(({ description }) => description.trim())).toEqual([
    '<p>Bring <i>gloves</i>; `code`</p>',
    '<p>Bring gloves</p>',
  ])
})

test('of hostile values, those of no use are left out and the others bounded', () => {
  const many = Array.from({ length: 10_000 }, (_, n) => n)
  const { sessions } = parseCalendar(
    ...event(
      '1',
      'DTSTART:20310314T080000',
      'URL:javascript:alert(1)',
      `CATEGORIES:${many.map((n) => `tag ${n}`).join(',')}`,
      ...many.map((n) => `ATTACH:https://x.example/${n}`),
      `ATTACH;ENCODING=BASE64;VALUE=BINARY:${'A'.repeat(1_000_000)}`,
    ),
  )
  expect(sessions[0]?.tags).toHaveLength(50)
  expect(sessions[0]?.links).toHaveLength(50)
  expect(sessions[0]?.links[0]?.url).toBe('https://x.example/0')
})

test('a UID that events with different titles share is ignored; the same event at two times gets a number', () => {
  const lines = (uid: string, title: string, start: string) => [
    ...['BEGIN:VEVENT', `UID:${uid}`, `SUMMARY:${title}`, `DTSTART:${start}`, 'END:VEVENT'],
  ]
  const { sessions, warnings } = parseCalendar(
    ...[
      ...lines('1', 'A', '20310314T080000'),
      ...lines('1', 'B', '20310314T090000'),
      ...lines('2', 'C', '20310314T080000'),
    ],
    ...[...lines('3', 'D', '20310314T080000'), ...lines('3', 'D', '20310315T080000')],
  )
  expect(sessions.map(({ key }) => key)).toEqual(['', '', '2', '3', '3-2'])
  expect(warnings.map(({ message }) => message)).toEqual([
    '2 events with different titles have the same UID (1); it was ignored, and they are identified by their titles.',
    expect.stringContaining('it is a second session with the id 3-2'),
  ])
})

test('times in UTC without a time zone are reported, and times in several zones are converted to the most frequent', () => {
  const utc = parseCalendar(...event('1', 'DTSTART:20310314T080000Z'))
  expect(utc.sessions[0]?.startsAt).toBe('2031-03-14 08:00:00')
  expect(utc.warnings.map(({ message }) => message)).toEqual([
    expect.stringContaining('UTC but the file names no time zone'),
  ])
  const two = parseCalendar(
    ...event('1', 'DTSTART;TZID=Europe/Berlin:20310314T080000'),
    ...event('2', 'DTSTART;TZID=Europe/Berlin:20310314T090000'),
    ...event('3', 'DTSTART;TZID=Asia/Tokyo:20310314T080000'),
  )
  expect(two.sessions.map(({ startsAt }) => startsAt)).toEqual([
    ...['2031-03-14 08:00:00', '2031-03-14 09:00:00', '2031-03-14 00:00:00'],
  ])
  expect(two.warnings.map(({ message }) => message)).toEqual([
    'Times are in several time zones (Europe/Berlin, Asia/Tokyo); they were converted to Europe/Berlin.',
  ])
})

test('times in UTC and in other zones are converted to the time zone of the calendar, and the plan says so', () => {
  const abroad = event('2', 'DTSTART;TZID=America/New_York:20310314T080000')
  const { sessions, warnings, dateReading } = parseCalendar(
    ...['X-WR-TIMEZONE:Europe/Berlin', ...event('1', 'DTSTART:20310314T080000Z'), ...abroad],
  )
  expect(sessions.map(({ startsAt }) => startsAt)).toEqual(['2031-03-14 09:00:00', '2031-03-14 13:00:00'])
  expect(dateReading).toBe('Times in UTC were converted to Europe/Berlin.')
  expect(warnings.map(({ message }) => message)).toEqual([
    'Times are in several time zones (Europe/Berlin, America/New_York); they were converted to Europe/Berlin.',
  ])
  const single = parseCalendar('X-WR-TIMEZONE:Europe/Berlin', ...abroad)
  expect(single).toMatchObject({ sessions: [{ startsAt: '2031-03-14 08:00:00' }], warnings: [] })
  expect(single.dateReading).toBeUndefined()
  expect(parseCalendar(...event('1', 'DTSTART:20310314T080000Z'), ...abroad).dateReading).toBe(
    'Times in UTC were converted to America/New_York.',
  )
  expect(parseCalendar('X-WR-TIMEZONE:UTC', ...event('1', 'DTSTART:20310314T080000Z')).dateReading).toBeUndefined()
})

describe('an event that repeats', () => {
  const first = 'DTSTART:20310314T080000'

  test('is imported for the days of the week and the number of times in its rule', () => {
    expect(starts(...event('1', first, 'RRULE:FREQ=WEEKLY;BYDAY=FR,MO;COUNT=3'))).toEqual([
      ...['2031-03-14 08:00', '2031-03-17 08:00', '2031-03-21 08:00'],
    ])
  })

  test('without end is imported up to the last other event', () => {
    const lines = [...event('1', first, 'RRULE:FREQ=DAILY'), ...event('2', 'DTSTART:20310316T200000')]
    expect(starts(...lines)).toEqual(['2031-03-14 08:00', '2031-03-15 08:00', '2031-03-16 08:00', '2031-03-16 20:00'])
    expect(parseCalendar(...lines).warnings.map(({ message }) => message)).toEqual([
      'Session “Yoga” repeats without end; it was imported up to 2031-03-16.',
    ])
  })

  test.each([
    'FREQ=DAILY;COUNT=100000',
    'FREQ=DAILY;UNTIL=29990101',
    'FREQ=SECONDLY;COUNT=100000000',
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=31',
    'FREQ=DAILY;INTERVAL=7;BYDAY=TU',
    'FREQ=DAILY;INTERVAL=1000000000;COUNT=2',
    'FREQ=MINUTELY;BYHOUR=3;BYMONTH=2',
    'FREQ=MONTHLY;INTERVAL=48;BYDAY=5MO',
    'FREQ=WEEKLY;BYDAY=XX',
    'nonsense',
  ])('by the rule %s is imported within bounds, with a remark', (rule) => {
    const started = cpuTime()
    const { sessions, warnings } = parseCalendar(...event('1', first, `RRULE:${rule}`))
    expect(sessions.length).toBeGreaterThanOrEqual(1)
    expect(sessions.length).toBeLessThanOrEqual(100)
    expect(warnings).toHaveLength(1)
    expect(cpuTime() - started).toBeLessThan(2_000)
  })
})

test('properties of no standard are ignored, and a line that is none is skipped with a remark', () => {
  const { sessions, warnings } = parseCalendar(
    ...event(
      '1',
      'DTSTART:20310314T080000',
      'STYLED-DESCRIPTION;VALUE=TEXT;FMTTYPE=text/html:<p>Hello</p>',
      'CONCEPT:https://x.example/c',
      'link;linkrel=source;value=uri:https://x.example/b',
      'Organizer unknown',
      ' and folded',
      'LOCATION:Hall',
    ),
  )
  expect(sessions).toMatchObject([{ title: 'Yoga', room: 'Hall', startsAt: '2031-03-14 08:00:00', description: '' }])
  expect(warnings).toEqual([{ line: 9, message: 'This line is neither a property nor indented; skipped.' }])
})

test('a calendar may have other lines above it', () => {
  const text = ['<!--', 'BEGIN:VCALENDAR', ...event('1', 'DTSTART:20310314T080000'), 'END:VCALENDAR', '-->'].join('\n')
  expect(parseProgram(text, 'a.ics', defaultLimits)).toMatchObject({ sessions: [{ title: 'Yoga' }], warnings: [] })
})

test('a calendar that is cut off, and one without events, get a warning', () => {
  expect(parseCalendar().warnings).toEqual([{ line: 1, message: 'The file contains no sessions.' }])
  const cut = parseProgram(
    'BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nSUMMARY:A\nDTSTART:20310314T0800',
    'a.ics',
    defaultLimits,
  )
  expect(cut.sessions).toHaveLength(1)
  expect(parseCalendar('BEGIN:VTODO', 'SUMMARY:A', 'END:VTODO').warnings).toEqual([
    { line: 1, message: 'The calendar has no VEVENT, but 1 VTODO. Expected: an event for each session.' },
  ])
})
