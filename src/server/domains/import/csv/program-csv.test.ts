import { describe, expect, test } from 'vitest'
import { defaultLimits } from '../../../../contract/limits.ts'
import { parseProgram } from '../formats/detect.ts'
import { speakerWith } from '../formats/programs.fixtures.ts'

const parse = (...lines: string[]) => parseProgram(lines.join('\r\n'), 'program.csv', defaultLimits)
const times = (...lines: string[]) =>
  parse(...lines).sessions.map(({ day, startsAt, endsAt }) => [day, startsAt, endsAt])
const messages = (...lines: string[]) => parse(...lines).warnings.map(({ line, message }) => `${line}: ${message}`)

test('a table with every field is read', () => {
  const { format, sessions, warnings } = parse(
    '\u{FEFF}ID,Title,Starts at,Ends at,Room,Speaker,Job title,Company,Abstract,Description,' +
      'Subtitle,Track,Session format,Language,Tags,URL,Licence,Do not record,Speaker biography,Speaker photo,GUID,Code',
    '7,"Hello, ""world""",2025-05-01T09:00,2025-05-01 10:00:00,Hall,Ada Lovelace,Analyst,Engines Ltd,"Short',
    'text",Long text,An introduction,Science,Talk,German,"new, for all",https://x.example/7,CC BY 4.0,yes,' +
      'Wrote **programs**.,https://x.example/ada.jpg,8F5BC16D-a582-5ed3-9143-ac2bcaf6b45f,HELLO',
  )
  expect(format).toBe('CSV')
  expect(warnings).toEqual([])
  expect(sessions).toEqual([
    {
      ...{ key: '8F5BC16D-a582-5ed3-9143-ac2bcaf6b45f', line: 2, title: 'Hello, "world"', room: 'Hall' },
      ...{ day: '2025-05-01', cancelled: false },
      ...{ startsAt: '2025-05-01 09:00:00', endsAt: '2025-05-01 10:00:00' },
      ...{ description: '<p>Short<br />text</p>', details: '<p>Long text</p>' },
      ...{ subtitle: 'An introduction', track: 'Science', type: 'Talk', language: 'de', tags: ['new', 'for all'] },
      ...{ license: 'CC BY 4.0', doNotRecord: true, code: 'HELLO', slug: '' },
      guid: '8f5bc16d-a582-5ed3-9143-ac2bcaf6b45f',
      links: [{ rel: 'page', title: '', url: 'https://x.example/7' }],
      unsaid: new Set([
        ...['day', 'slug', 'cancelled'],
        ...['origin', 'feedback', 'stream', 'recording', 'attachment', 'related'],
      ]),
      speakers: [
        speakerWith({
          ...{ name: 'Ada Lovelace', position: 'Analyst', company: 'Engines Ltd' },
          ...{ biography: expect.stringContaining('<strong>programs</strong>'), photo: 'https://x.example/ada.jpg' },
        }),
      ],
    },
  ])
})

test('a German table with semicolons is read, and each bad row is reported with its line and the message', () => {
  const lines = [
    'Titel;Datum;Beginn;Ende;Raum;Referent;Firma;Beschreibung',
    '"Eröffnung";27.12.2025;9.00;9:30;Saal 1;Dr. Jürgen Müller;ACME;"Zeile 1',
    '',
    'Zeile 2"',
    'Nachts;27.12.2025;23:30;00:30;Bar;;;',
    ';27.12.2025;10:00',
    'Kaputt;32.12.2025;10:00',
    'Spät;27.12.2025;25:00',
    'Ohne;;10:00',
    'Zurück;27.12.2025;14:00;13:00',
    'Zu; viele;27.12.2025;10:00;11:00;Bar;;;x',
  ]
  expect(parse(...lines).sessions).toMatchObject([
    {
      ...{
        line: 2,
        title: 'Eröffnung',
        room: 'Saal 1',
        startsAt: '2025-12-27 09:00:00',
        endsAt: '2025-12-27 09:30:00',
      },
      speakers: [{ name: 'Dr. Jürgen Müller', company: 'ACME' }],
      description: '<p>Zeile 1</p><p>Zeile 2</p>',
    },
    { line: 5, startsAt: '2025-12-27 23:30:00', endsAt: '2025-12-28 00:30:00' },
  ])
  expect(messages(...lines)).toEqual([
    '6: Session has no title; skipped.',
    '7: Session “Kaputt” has the date “32.12.2025”, which is not a valid day, month and year; skipped.',
    '8: Session “Spät” starts at “25:00”, which is not a valid date or time; skipped.',
    '9: Session “Ohne” has no date; skipped.',
    '10: Session “Zurück” ends (2025-12-27 13:00:00) before it starts (2025-12-27 14:00:00); skipped.',
    '11: The row has 9 cells but the header has 8; row skipped. Put quotes around a cell that contains the separator.',
  ])
})

describe('dates with slashes', () => {
  test('are read month first in the whole file if one of them must be', () => {
    expect(times('Title,Date,Start', 'A,03/04/2025,9:00 AM', 'B,12/27/2025,1:15 pm')).toEqual([
      ['2025-03-04', '2025-03-04 09:00:00', '2025-03-04 09:00:00'],
      ['2025-12-27', '2025-12-27 13:15:00', '2025-12-27 13:15:00'],
    ])
  })

  test('are read day first in the whole file if one of them must be', () => {
    const lines = ['Title,Date,Start', 'A,03/04/2025,9:00', 'B,27/12/2025,9:00']
    expect(times(...lines)[0]?.[0]).toBe('2025-04-03')
    expect(messages(...lines)).toEqual([])
  })
})

describe('times', () => {
  test.each(['Duration (hours)', 'Duration in hours', 'Dauer (Std.)', 'Durée (h)'])(
    'end after hours, if the heading “%s” says so',
    (heading) => {
      const ends = times(
        `Title;Start;${heading}`,
        ...['1,5', '2', '45 min', '1:30'].map((each) => `A;2025-05-01 09:00;${each}`),
      )
      expect(ends.map(([, , end]) => end)).toEqual(
        ['10:30', '11:00', '09:45', '10:30'].map((end) => `2025-05-01 ${end}:00`),
      )
    },
  )

  test.each(['0.03125', '0,5', '.75'])('do not end after the part of a minute, %s', (cell) => {
    expect(messages('Title,Start,Duration', `A,2025-05-01 09:00,"${cell}"`)).toEqual([
      `2: Session “A” has an invalid duration, “${cell}”; its end was set to its start.`,
    ])
  })

  test('end after the duration if there is no end, and at the start if there is neither', () => {
    expect(
      times('Title,Start,Duration', 'A,2025-05-01 09:00,45', 'B,2025-05-01 09:00,1:30', 'C,2025-05-01 09:00,'),
    ).toEqual([
      ['2025-05-01', '2025-05-01 09:00:00', '2025-05-01 09:45:00'],
      ['2025-05-01', '2025-05-01 09:00:00', '2025-05-01 10:30:00'],
      ['2025-05-01', '2025-05-01 09:00:00', '2025-05-01 09:00:00'],
    ])
  })

  test('may be one cell with a start and an end', () => {
    expect(times('Day,Time,Title', '2025-05-01,09:00 - 10:30,A', '2025-05-01,10 pm–1 am,B')).toEqual([
      ['2025-05-01', '2025-05-01 09:00:00', '2025-05-01 10:30:00'],
      ['2025-05-01', '2025-05-01 22:00:00', '2025-05-02 01:00:00'],
    ])
  })

  test('with an offset are read as local time, and belong to the day in the day column', () => {
    expect(
      times('Title\tDay\tStart\tEnd', 'DJ\t2025-12-27\t2025-12-28T01:00:00+01:00\t2025-12-28T03:00:00+01:00'),
    ).toEqual([['2025-12-27', '2025-12-28 01:00:00', '2025-12-28 03:00:00']])
  })

  test('belong to their own date if the date column is something else', () => {
    expect(times('Title,Date,Start', 'A,2025-01-15,2025-05-01 09:00')[0]?.[0]).toBe('2025-05-01')
  })

  test('may have a column of its own for the date of the end', () => {
    const header = 'Subject,Start Date,Start Time,End Date,End Time,Location'
    expect(times(header, 'Party,2025-05-01,10:00 PM,2025-05-02,4:00 AM,Bar')).toEqual([
      ['2025-05-01', '2025-05-01 22:00:00', '2025-05-02 04:00:00'],
    ])
  })
})

describe('ids', () => {
  test('that are missing leave the same session in two rows distinct, with a warning', () => {
    const lines = ['Title,Start,Room', 'A,2025-05-01 10:00,R', 'A,2025-05-01 10:00,S', 'A,2025-05-01 10:00,R']
    expect(parse(...lines).sessions.map(({ key }) => key)).toEqual(['', '', ''])
    expect(messages(...lines)).toEqual([
      '4: Session “A” is already in line 2, with the same start, room and speakers; it counts as a second session.',
    ])
  })

  test('that repeat an id at another time get a number, with a warning', () => {
    expect(messages('Id,Title,Start', '1,A,2025-05-01 10:00', '1,B,2025-05-01 11:00')).toEqual([
      '3: Session “B” has the same id (1) as “A” in line 2, at another time or place; it is a second session with the id 1-2.',
    ])
  })
})

describe('exports', () => {
  test('of Sessionize with a row per speaker become one session', () => {
    const { sessions, warnings, unused } = parse(
      '"Session Id","Title","Description","Owner","Room","Scheduled At","Scheduled Duration","FirstName","LastName","TagLine"',
      '1,Talk,Text,O,R1,15 May 2023 09:00 AM,45,Ada,Lovelace,Analyst',
      '1,Talk,Text,O,R1,15 May 2023 09:00 AM,45,Alan,Turing,Fellow',
    )
    expect(warnings).toEqual([])
    expect(unused).toEqual([{ name: '“Owner”', count: 2 }])
    expect(sessions).toMatchObject([{ key: '1', startsAt: '2023-05-15 09:00:00', endsAt: '2023-05-15 09:45:00' }])
    expect(sessions[0]?.speakers.map(({ name, position }) => [name, position])).toEqual([
      ['Ada Lovelace', 'Analyst'],
      ['Alan Turing', 'Fellow'],
    ])
  })

  test('of Indico use the Title column, keep HTML, and report a date without a time', () => {
    const lines = [
      'Id,Title,Description,Date,Duration,Type,Session,Track,Presenters,Materials',
      '12,Dark matter,<p>We <b>search</b></p>,2024-11-04T09:00:00+01:00,20 minutes,Talk,Morning,,"Jane Doe, John Roe",',
      '13,Quarks,,"Monday, 4 November 2024",20 minutes,,,,,',
    ]
    expect(parse(...lines).sessions).toMatchObject([
      {
        ...{ key: '12', title: 'Dark matter', description: '<p>We <b>search</b></p>', endsAt: '2024-11-04 09:20:00' },
        ...{ type: 'Talk', track: '' },
      },
    ])
    expect(messages(...lines)).toEqual([
      expect.stringMatching(/^2: Times such as “2024-11-04T09:00:00\+01:00” were read as local time/),
      '3: Session “Quarks” has a date but no start time; skipped.',
    ])
    expect(parse(...lines).unused).toEqual([{ name: '“Session”', count: 1, reason: '“Title” is used instead' }])
  })

  test('of Excel may begin with sep= and have lines above the header', () => {
    expect(parse('sep=;', 'Program 2025;;', ';;', 'Title;Start;Room', 'A;2025-05-01 10:00;R').sessions).toMatchObject([
      { line: 5, title: 'A', room: 'R' },
    ])
  })
})

test('the row with the most known headings is the header, and each column is used once', () => {
  const { sessions } = parse('Name,Start,Room', 'Talk,2025-05-01 10:00,Stage')
  expect(sessions).toMatchObject([{ title: 'Talk', room: 'Stage', speakers: [] }])
})

test('times in UTC without a time zone are reported once', () => {
  const lines = ['Title,Start', 'A,2025-05-01T10:00:00Z', 'B,2025-05-01T11:00:00Z']
  expect(times(...lines)[0]?.[1]).toBe('2025-05-01 10:00:00')
  expect(messages(...lines)).toEqual([expect.stringMatching(/^2: Times are in UTC/)])
})

test.each(['2025-05-01T10:00:00+02:00', '2025-05-01 10:00 -0500'])(
  'an offset as in %s is ignored, and reported once',
  (start) => {
    const lines = ['Title,Start', `A,${start}`, 'B,2025-05-01T11:00:00+02:00']
    expect(times(...lines)[0]?.[1]).toBe('2025-05-01 10:00:00')
    expect(messages(...lines)).toEqual([
      `2: Times such as “${start}” were read as local time at the venue; their UTC offset was ignored.`,
    ])
  },
)

test.each([
  ['Ada Lovelace, Alan Turing', ['Ada Lovelace', 'Alan Turing']],
  ['Lovelace, Ada', ['Lovelace, Ada']],
  ['Lovelace, Ada; Turing, Alan', ['Lovelace, Ada', 'Turing, Alan']],
  ['Ada Lovelace, PhD, Alan Turing', ['Ada Lovelace, PhD', 'Alan Turing']],
  ['Ada Lovelace\nAlan Turing', ['Ada Lovelace', 'Alan Turing']],
])('the speakers of %j are %j', (cell, names) => {
  const { sessions } = parse('Title,Start,Speakers', `A,2025-05-01 10:00,"${cell}"`)
  expect(sessions[0]?.speakers.map(({ name }) => name)).toEqual(names)
})

test('positions and companies are assigned one by one if there are as many as speakers, else to nobody, as the plan says', () => {
  const header = 'Title,Start,Speakers,Position,Company'
  const { sessions, unused } = parse(
    header,
    'A,2025-05-01 10:00,Ada L; Alan T,Analyst; Fellow,Engines',
    'B,2025-05-01 11:00,Ada L,Analyst | Writer,Engines',
    'C,2025-05-01 12:00,Ada L; Alan T; Kurt G,Panel,',
  )
  expect(sessions.map(({ speakers }) => speakers)).toEqual([
    [speakerWith({ name: 'Ada L', position: 'Analyst' }), speakerWith({ name: 'Alan T', position: 'Fellow' })],
    [speakerWith({ name: 'Ada L', position: 'Analyst | Writer', company: 'Engines' })],
    ['Ada L', 'Alan T', 'Kurt G'].map((name) => speakerWith({ name })),
  ])
  const reason = 'a row needs as many as it has speakers'
  expect(unused).toEqual([
    { name: '“Position”', count: 1, reason },
    { name: '“Company”', count: 1, reason },
  ])
})

test('rows before an unclosed quotation mark are imported', () => {
  const lines = ['Title,Start', 'A,2025-05-01 10:00', '"B,2025-05-01 10:00', 'C,2025-05-01 10:00']
  expect(parse(...lines).sessions.map(({ title }) => title)).toEqual(['A'])
  expect(messages(...lines)).toEqual([expect.stringMatching(/^3: A quotation mark in this row is never closed/)])
})

test('the columns are listed if the title or the start is missing', () => {
  expect(messages('Title,Room', 'A,B')).toEqual([
    expect.stringMatching(
      /^1: No column for the start\. Columns: “Title”, “Room”\. Accepted headings: .*Title, .*Starts at, .*docs\/headings\.md lists them\.$/,
    ),
  ])
  expect(messages('Room,Start', 'A,B')[0]).toContain('No column for the title')
})

test.each(["What's it about", 'What is it about?', 'About', 'What is your talk about'])(
  'the column “%s” is the description',
  (heading) => {
    const { sessions, unused } = parse(
      `Title,Start,${heading},About the speaker`,
      'Opening,2031-03-14 09:00,Words,Ana sails',
    )
    expect(sessions).toMatchObject([{ description: expect.stringContaining('Words') }])
    expect(unused.map(({ name }) => name)).not.toContain(`“${heading}”`)
  },
)

test('names that differ only in accents or spaces stay two persons, which the plan says with their lines', () => {
  const lines = [
    'Joao Magalhães',
    'Ana Cruz; ben day',
    'João Magalhães',
    'Ben Day; Ana Cruse',
    'JOAO MAGALHÃES; AnaCruz',
  ]
  const rows = lines.map((speakers, hour) => `Talk ${hour},2031-03-14 1${hour}:00,${speakers}`)
  const { sessions, warnings } = parse('Title,Start,Speakers', ...rows)
  expect(sessions[2]?.speakers).toMatchObject([{ name: 'João Magalhães' }])
  expect(warnings).toEqual([
    {
      line: 4,
      message: '“Joao Magalhães” (line 2) and “João Magalhães” (line 4) may be one person; they are imported as two.',
    },
    { line: 6, message: '“Ana Cruz” (line 3) and “AnaCruz” (line 6) may be one person; they are imported as two.' },
  ])
})
