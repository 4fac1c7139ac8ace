import { expect, test } from 'vitest'
import { defaultLimits } from '../../../../contract/limits.ts'
import { parseProgram } from '../formats/detect.ts'
import { parseFixture, readFixture } from '../formats/programs.fixtures.ts'
import { readIsoDate } from '../times/wall-clock.ts'
import { readSpeakerDirectory, readVenues } from './directories.ts'

const parse = (lines: string[], firstDay?: string) =>
  parseProgram(lines.join('\n'), 'a.csv', defaultLimits, { firstDay: readIsoDate(firstDay ?? '') })
const starts = (lines: string[], firstDay?: string) => parse(lines, firstDay).sessions.map(({ startsAt }) => startsAt)

test.each(['guidebook', 'whova', 'sched', 'meetingpulse'])('a program in the columns of %s is read', (tool) => {
  const { sessions, dateReading } = parseFixture(`${tool}.csv`)
  expect(sessions.slice(0, 2)).toMatchObject([
    { title: 'Opening', room: 'Gletscher', startsAt: '2031-03-14 09:00:00', endsAt: '2031-03-14 09:30:00' },
    { title: 'Snow, Measured', room: 'Lärche', startsAt: '2031-03-14 10:15:00', endsAt: '2031-03-14 11:00:00' },
  ])
  if (tool !== 'guidebook') expect(sessions[1]?.speakers).toMatchObject([{ name: 'Tadeo Brunner' }])
  if (tool === 'guidebook' || tool === 'whova')
    expect(sessions.slice(0, 2)).toMatchObject([{ track: 'Plenary' }, { track: 'Science' }])
  if (tool === 'sched') expect(sessions).toMatchObject([{ type: 'Plenary' }, { type: 'Science' }])
  expect(dateReading).toBe(undefined)
})

test('the export of Sessionize with a row for each speaker has all of them, by name', () => {
  const { sessions, warnings } = parse([
    'Session Id,Title,Status,Room,Scheduled At,Scheduled Duration,Speaker Id,FirstName,LastName,TagLine',
    '101,Snow,Accepted,Lärche,3/14/2031 9:00:00 AM,45,s1,Ana,Cruz,Analyst',
    '101,Snow,Accepted,Lärche,3/14/2031 9:00:00 AM,45,s2,Tadeo,Brunner,Guide',
  ])
  expect(sessions).toMatchObject([{ key: '101', speakers: [{ name: 'Ana Cruz' }, { name: 'Tadeo Brunner' }] }])
  expect(warnings).toEqual([])
})

test.each([
  ['Subject,Start Date,Start Time,End Date,End Time,All day event', 'False', 'True'],
  ['Betreff,Beginnt am,Beginnt um,Endet am,Endet um,Ganztägiges Ereignis', 'Aus', 'Ein'],
])('a calendar that Outlook saved as CSV is read without events of a whole day: %s', (header, no, yes) => {
  const { sessions, warnings } = parse([
    header,
    `Opening,14.3.2031,9:00:00,14.3.2031,9:45:00,${no}`,
    `Fair,14.3.2031,0:00:00,16.3.2031,0:00:00,${yes}`,
  ])
  expect(sessions).toMatchObject([{ title: 'Opening', endsAt: '2031-03-14 09:45:00' }])
  expect(warnings).toMatchObject([{ message: 'Session “Fair” lasts all day, and has no start time; skipped.' }])
})

test('a Spanish table is read', () => {
  const { sessions, warnings } = parse([
    'Fecha,Hora,Sala,Título,Ponente(s),Resumen,Estado',
    'viernes 14 de marzo de 2031,9:00–9:45,Auditorio,Inauguración,Íñigo Pérez,Hola,confirmado',
    ',10 a 10:45 h,Sala 2,¿Qué es la nieve?,María Núñez,,',
    ',de 11 a 12,Sala 2,Mesa redonda,,,cancelada',
    ',mediodía,Patio,Comida,,,',
    '15 ene 2031,desde las 19 h,Patio,Fiesta,,,',
    '16 dic 2031,de las 9 a las 10,Patio,Fin,,,',
  ])
  expect(sessions.map(({ title, startsAt, endsAt }) => [title, startsAt, endsAt.slice(11, 16)])).toEqual([
    ['Inauguración', '2031-03-14 09:00:00', '09:45'],
    ['¿Qué es la nieve?', '2031-03-14 10:00:00', '10:45'],
    ['Mesa redonda', '2031-03-14 11:00:00', '12:00'],
    ['Comida', '2031-03-14 12:00:00', '12:00'],
    ['Fiesta', '2031-01-15 19:00:00', '19:00'],
    ['Fin', '2031-12-16 09:00:00', '10:00'],
  ])
  expect(sessions[0]).toMatchObject({
    room: 'Auditorio',
    speakers: [{ name: 'Íñigo Pérez' }],
    description: '<p>Hola</p>',
  })
  expect(sessions[2]).toMatchObject({ cancelled: true })
  expect(warnings.map(({ message }) => message)).toEqual([
    expect.stringContaining('were given the date above them'),
    'Session “Fiesta” has an open end, “desde las 19 h”; its end was set to its start.',
  ])
})

test('a date that is written only in the first row of its day applies to the rows below, with a remark', () => {
  const { sessions, warnings } = parseFixture('whova.csv')
  expect(sessions.map(({ startsAt }) => startsAt)).toEqual([
    ...['2031-03-14 09:00:00', '2031-03-14 10:15:00', '2031-03-15 09:00:00', '2031-03-15 10:00:00'],
  ])
  expect(warnings).toContainEqual({
    line: 8,
    message: 'Rows without a date, such as that of session “Snow, Measured”, were given the date above them.',
  })
})

test('a row that has only a date is the heading of a day', () => {
  const lines = [
    'Title,Start,Room',
    '"Thursday, March 13, 2031",,',
    'A,09:00,R',
    ',14.3.2031,',
    'B,09:00,R',
    'C,10:00,',
  ]
  expect(starts(lines)).toEqual(['2031-03-13 09:00:00', '2031-03-14 09:00:00', '2031-03-14 10:00:00'])
})

test('an empty date is an omission where other dates are repeated', () => {
  const { sessions, warnings } = parse(['Title,Date,Start', 'A,2031-03-14,9:00', 'B,2031-03-14,10:00', 'C,,11:00'])
  expect(sessions).toHaveLength(2)
  expect(warnings).toMatchObject([{ line: 4, message: 'Session “C” has no date; skipped.' }])
})

test('sessions that Sched or MeetingPulse does not show are left out by name', () => {
  expect(parseFixture('sched.csv').sessions.map(({ key }) => key)).toEqual(['OPEN', 'SNOW'])
  const { warnings } = parseFixture('meetingpulse.csv')
  expect(warnings.map(({ message }) => message)).toContain('Session “Rehearsal” has the status “inactive”; skipped.')
})

test('numbers of rooms and speakers become names if their own files are given, and are reported if not', () => {
  const options = {
    venues: readVenues(readFixture('venues.csv'), 'venues.csv'),
    speakers: readSpeakerDirectory(readFixture('speakers.csv'), 'speakers.csv'),
  }
  const named = parseFixture('numbered.csv', options)
  expect(named.warnings).toEqual([])
  expect(named.sessions).toMatchObject([
    { room: 'Gletscher', speakers: [{ name: 'Mira Solari', company: 'Bergbahn AG' }, { name: 'Jon Bergé' }] },
    { room: 'Lärche', speakers: [{ name: 'Tadeo Brunner' }] },
  ])
  const { sessions, warnings } = parseFixture('numbered.csv')
  expect(sessions).toMatchObject([
    { room: '7', speakers: [] },
    { room: '8', speakers: [] },
  ])
  expect(warnings.map(({ message }) => message)).toEqual([
    'The speakers are given only by a number or key. Add the file that names them: --speakers FILE.',
    'The rooms are given only by a number or key. Add the file that names them: --venues FILE.',
  ])
})

test('a number without a name in the file of venues or speakers is reported', () => {
  const options = {
    venues: readVenues('[{"id": 7, "name": {"en": "Gletscher"}}]', 'venues.json'),
    speakers: readSpeakerDirectory('{"speakers": [{"id": 12, "firstName": "Mira", "lastName": "Solari"}]}', 's.json'),
  }
  const { sessions, warnings } = parseFixture('numbered.csv', options)
  expect(sessions).toMatchObject([{ room: 'Gletscher', speakers: [{ name: 'Mira Solari' }] }, { room: '8' }])
  expect(warnings.map(({ message }) => message)).toEqual([
    'The speaker “15” is not in the file of speakers and was left out.',
    'The room “8” is not in the file of venues; it was used unchanged.',
  ])
  expect(() => readVenues('a,b\n1,2', 'x.csv')).toThrow('“x.csv” has no venues: it needs a column for their number')
})

test.each([
  ['Thursday', '2026-03-12'],
  ['Sat', '2026-03-14'],
  ['Day 1', '2026-03-12'],
  ['2', '2026-03-13'],
  ['Tag 2 (Freitag)', '2026-03-13'],
  ['Sat 14.3.', '2026-03-14'],
  ['14.03', '2026-03-14'],
  ['14 March', '2026-03-14'],
  ['14-Mar', '2026-03-14'],
  ['14–03', '2026-03-14'],
  ['Saturday, March 14th', '2026-03-14'],
  ['1.1.', '2026-01-01'],
])('%s is counted from the first day, or reported if that is not given', (day, date) => {
  const lines = ['Title,Day,Start', `A,"${day}",09:00`]
  expect(starts(lines, '2026-03-12')).toEqual([`${date} 09:00:00`])
  const { sessions, warnings } = parse(lines)
  expect(sessions).toEqual([])
  expect(warnings[0]?.message).toBe(
    `Session “A” is on “${day}”, which has no year; add --first-day YYYY-MM-DD, the first day of the conference; skipped.`,
  )
})

test('a number in a column of times is not a day', () => {
  expect(parse(['Title,Time', 'A,1']).warnings.map(({ message }) => message)).toEqual([
    'Session “A” starts at “1”, which is not a valid date or time; skipped.',
  ])
})

test('a relative day may be in the same cell as the time', () => {
  const lines = ['Title,When', 'A,Friday 9:30', 'B,"Day 2, 10:00 - 11:00"', 'C,Sat 14.3. 12:00']
  expect(starts(lines, '2026-03-12')).toEqual(['2026-03-13 09:30:00', '2026-03-13 10:00:00', '2026-03-14 12:00:00'])
})

test('dates and times that a spreadsheet saved as numbers are read, with a remark', () => {
  const lines = ['Title,Date,Start,End', 'A,46093,0.375,0.4166666667', 'B,46093,0.25,0.5', 'C,,46094.75,']
  const { sessions, warnings } = parse(lines)
  expect(sessions.map(({ startsAt, endsAt }) => [startsAt, endsAt])).toEqual([
    ['2026-03-12 09:00:00', '2026-03-12 10:00:00'],
    ['2026-03-12 06:00:00', '2026-03-12 12:00:00'],
    ['2026-03-13 18:00:00', '2026-03-13 18:00:00'],
  ])
  expect(warnings).toEqual([
    { line: 2, message: 'Numbers such as “46093” were read as dates of a spreadsheet (2026-03-12).' },
  ])
})

test.each([
  ['event_start_time', 'start'],
  ['Start Date/Time', 'start'],
  ['Time (Start)', 'start'],
  ['Begin Time - local', 'start'],
])('a start headed %s is recognized by its words', (heading) => {
  expect(starts([`Name of session,${heading}`, 'A,2026-03-12 09:00'])).toEqual(['2026-03-12 09:00:00'])
})

test('headings of something else are not mistaken for a field', () => {
  const lines = [
    'Title,Start,Track Title,Room capacity,Submission end,Speaker bio,Conference name',
    'A,2026-03-12 09:00,Science,300,x,Born 1960,Makers',
  ]
  const { sessions, warnings, unused } = parse(lines)
  expect(sessions).toMatchObject([{ title: 'A', room: '', track: 'Science', speakers: [] }])
  expect(warnings).toEqual([])
  expect(unused.map(({ name }) => name)).toEqual([
    ...['“Speaker bio”', '“Room capacity”', '“Submission end”', '“Conference name”'],
  ])
})

test('speakers with numbered columns for first and last names are all read', () => {
  const lines = [
    'Title,Start,speaker1_first,speaker1_last,speaker2_first,speaker2_last',
    'A,2026-03-12 09:00,Ada,Lovelace,Alan,Turing',
  ]
  expect(parse(lines).sessions[0]?.speakers.map(({ name }) => name)).toEqual(['Ada Lovelace', 'Alan Turing'])
})

test('the title of a paper comes before that of its session, which is used where there is no paper', () => {
  const lines = ['Session Title,Paper Title,Day,Start', 'Morning,Snow,2026-03-12,09:00', 'Lunch,,,12:00']
  const { sessions, warnings } = parse(lines)
  expect(sessions.map(({ title }) => title)).toEqual(['Snow', 'Lunch'])
  expect(warnings.map(({ message }) => message)).toEqual([
    'Rows without a date, such as that of session “Lunch”, were given the date above them.',
  ])
})

test.each([
  'What,When,Who',
  'Headline,Start,Who',
  'What is the title of your talk?,Start,What is your name?',
  'Title,Start,Who are you?',
  'Titel des Vortrags,Beginn des Vortrags,Name des Referenten',
  'Wie lautet der Titel Ihres Vortrags?,Start,Ihr Name',
  'Titre de la session,Start,Intervenant',
])('a program with the headings %s is read', (header) => {
  const { sessions, warnings } = parse([header, 'Snow,2026-03-12 09:00,Mira Solari'])
  expect(sessions).toMatchObject([{ title: 'Snow', speakers: [{ name: 'Mira Solari' }] }])
  expect(warnings).toEqual([])
})

test('ids that a spreadsheet has cut are not used, with a remark', () => {
  const rows = ['1.23457E+12,Snow,2026-03-12 09:00', '1.23457E+12,Ice,2026-03-12 10:00', '1E5,Rain,2026-03-12 11:00']
  const { sessions, warnings } = parse(['ID,Title,Start', ...rows])
  expect(sessions.map(({ key }) => key)).toEqual(['', '', '1E5'])
  expect(warnings).toMatchObject([
    {
      line: 2,
      message: expect.stringContaining('A spreadsheet has cut ids such as “1.23457E+12”; they were ignored. '),
    },
  ])
})
