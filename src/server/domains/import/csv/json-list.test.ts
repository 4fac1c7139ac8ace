import { expect, test } from 'vitest'
import { defaultLimits } from '../../../../contract/limits.ts'
import { parseProgram } from '../formats/detect.ts'
import { readSpeakerDirectory } from './directories.ts'

const parse = (file: unknown, options = {}) =>
  parseProgram(JSON.stringify(file, null, 1), 'talks.json', defaultLimits, options)

const talk = {
  ...{ id: 7, title: 'Snow', start: '2031-03-14 09:00', minutes: 45, location: { name: 'Hall' }, description: null },
  speakers: [{ name: 'Ada L', bio: 'x' }, 'Alan T'],
}

test.each([
  ['a list', [talk]],
  ['a member of the file', { version: [1], days: [], talks: [talk] }],
  ['objects by their id', { '7': talk }],
])('the sessions of a site as %s are read like a spreadsheet', (_, file) => {
  const { format, sessions, warnings, unused } = parse(file)
  expect(format).toBe('JSON list')
  expect(sessions).toMatchObject([
    {
      ...{ key: '7', title: 'Snow', room: 'Hall', startsAt: '2031-03-14 09:00:00', endsAt: '2031-03-14 09:45:00' },
      speakers: [{ name: 'Ada L' }, { name: 'Alan T' }],
    },
  ])
  expect(warnings).toMatchObject([])
  expect(unused).toContainEqual({ name: 'speakers.bio', count: 1 })
  expect(unused.filter(({ name }) => name !== 'version')).toHaveLength(1)
})

test('members that are not used are listed, and a session that cannot be used is reported with its line', () => {
  const { sessions, warnings, unused } = parse([talk, { title: 'Ice', start: 'soon', level: 'All' }])
  expect(sessions).toHaveLength(1)
  expect(warnings).toMatchObject([
    { line: 19, message: 'Session “Ice” starts at “soon”, which is not a valid date or time; skipped.' },
  ])
  expect(unused).toEqual([
    { name: '“level”', count: 1 },
    { name: 'speakers.bio', count: 1 },
  ])
})

test('speakers that are given by a UUID are named by the file of speakers', () => {
  const key = '00bc8cd6-45d1-4802-bf48-e3ba8af5a875'
  const file = [{ ...talk, speakers: [key] }]
  expect(parse(file)).toMatchObject({
    sessions: [{ speakers: [] }],
    warnings: [{ message: expect.stringContaining('Add the file that names them: --speakers FILE') }],
  })
  const speakers = readSpeakerDirectory(JSON.stringify({ [key]: { id: key, fullName: 'Ada L' } }), 'speakers.json')
  expect(parse(file, { speakers })).toMatchObject({ sessions: [{ speakers: [{ name: 'Ada L' }] }], warnings: [] })
})

const post = {
  ...{ id: 101, date: '2030-01-01T10:00:00', date_gmt: '2030-01-01T09:00:00', slug: 'opening', status: 'publish' },
  ...{ type: 'wcb_session', link: 'https://x.example/session/opening/' },
  title: { rendered: 'Opening &#8211; <em>Don&#8217;t</em> miss' },
  content: { rendered: '<p>Hello</p>', protected: false },
  meta: { _wcpt_session_time: 1905069600, _wcpt_session_duration: 3000, _wcpt_session_type: 'session' },
  ...{ session_track: [3], session_speakers: [{ id: '7', name: 'Ana Cruz', link: '' }] },
}

test('the sessions of a WordCamp site start when the session does, not when the post was published', () => {
  const { sessions, warnings, unused } = parse([
    post,
    { ...post, id: 102, meta: { ...post.meta, _wcpt_session_time: 0 } },
  ])
  expect(sessions).toMatchObject([
    {
      ...{ key: '101', title: 'Opening – Don’t miss', startsAt: '2030-05-15 10:00:00', endsAt: '2030-05-15 10:50:00' },
      ...{ speakers: [{ name: 'Ana Cruz' }], description: '<p>Hello</p>', type: '', track: '' },
      links: [{ rel: 'page', title: '', url: 'https://x.example/session/opening/' }],
    },
  ])
  expect(warnings.map(({ message }) => message)).toEqual([
    'Times are in UTC but the file names no time zone; they were used unchanged.',
    expect.stringContaining('HTML references'),
    expect.stringMatching(/^Session “Opening – Don’t miss” has no date; skipped/),
  ])
  expect(unused.map(({ name, count }) => `${name} ${count}`)).toEqual([
    ...['“session_track” 2', '“date of publication” 2', '“date_gmt” 2', '“type of the record” 2'],
    ...['content.protected 2', 'meta._wcpt_session_type 2', 'session_speakers.id 2'],
  ])
})

test.each([
  ['a start with a date', { start: '2031-03-14 09:00' }],
  ['a date of its start', { start_date: '2031-03-14 09:00:00' }],
  ['a date and time of its start', { 'start-date': '2031-03-14', start_time: '09:00' }],
  ['a date of the event', { event_date: '2031-03-14', time: '09:00' }],
])('a session with %s does not start when it was published', (_, start) => {
  for (const date of ['2030-01-01T10:00:00', '2030-01-01'])
    expect(parse([{ title: 'Snow', date, ...start }]).sessions).toMatchObject([
      { startsAt: '2031-03-14 09:00:00', day: '2031-03-14' },
    ])
})

test('a session whose date has the time of its start is read, also with the date at midnight', () => {
  expect(parse([{ title: 'Snow', date: '2031-03-14T09:00', room: 'A' }]).sessions).toMatchObject([
    { startsAt: '2031-03-14 09:00:00' },
  ])
  const page = { title: 'Snow', slug: 'snow', date: '2031-03-14T00:00:00Z', time: '09:00' }
  expect(parse([page]).sessions).toMatchObject([{ startsAt: '2031-03-14 09:00:00' }])
})

test.each([
  ['slug', { slug: 'snow' }],
  ['status', { status: 'publish' }],
])('posts that have only a date, and a %s, are refused with the reason', (name, sign) => {
  const { sessions, warnings } = parse([{ title: 'Snow', date: '2031-03-14T09:00:00', ...sign }])
  expect(sessions).toEqual([])
  expect(warnings).toMatchObject([
    {
      message: `The list has no start: “date” is when a record was published, as it has “${name}”. If it is the start of the session, rename the member to “start”.`,
    },
  ])
})

test.each([
  ['seconds', 1905069600],
  ['milliseconds', 1905069600000],
  ['a text', '1905069600'],
])('Unix times as %s are read as UTC, which is reported', (_, start_time) => {
  const { sessions, warnings } = parse([{ id: 1905069600, title: 'Snow', start_time }])
  expect(sessions).toMatchObject([{ key: '1905069600', startsAt: '2030-05-15 10:00:00' }])
  expect(warnings).toMatchObject([{ message: expect.stringContaining('in UTC') }])
})

const session = {
  ...{ id: 1, title: 'Opening', short_abstract: '<p>Hi</p>', long_abstract: 'Long', state: 'accepted' },
  ...{ start_time: '2030-05-14T09:00:00+08:00', end_time: '2030-05-14T09:30:00+08:00' },
  ...{ microlocation: { id: 3, name: 'Hall 1' }, speakers: [{ id: 1, name: 'Ana Cruz' }] },
}
const opening = {
  ...{ key: '1', title: 'Opening', room: 'Hall 1', speakers: [{ name: 'Ana Cruz' }] },
  ...{ startsAt: '2030-05-14 09:00:00', endsAt: '2030-05-14 09:30:00', description: '<p>Hi</p>' },
}

test('the sessions of Open Event have their rooms, and those that were not accepted are left out', () => {
  const { sessions, warnings } = parse([session, { ...session, id: 2, title: 'Closed', state: 'rejected' }])
  expect(sessions).toMatchObject([{ ...opening, details: '<p>Long</p>' }])
  expect(warnings.map(({ message }) => message)).toContain('Session “Closed” has the status “rejected”; skipped.')
})

test('the sessions of JSON:API, as eventyay has it, have the names that the file includes', () => {
  const data = [
    {
      ...{ type: 'session', id: '1' },
      attributes: {
        ...{ title: 'Opening', 'short-abstract': '<p>Hi</p>', 'starts-at': session.start_time },
        'ends-at': session.end_time,
      },
      relationships: {
        microlocation: { data: { type: 'microlocation', id: '3' } },
        speakers: { data: [{ type: 'speaker', id: '1' }] },
        track: { links: { self: '/v1/tracks' } },
      },
    },
  ]
  const speakers = ['Ana Cruz', 'Ben', 'Cleo'].map((name, at) => ({
    ...{ type: 'speaker', id: `${at + 1}`, attributes: { name, email: 'x' } },
  }))
  const included = [...speakers, { type: 'microlocation', id: '3', attributes: { name: 'Hall 1' } }]
  expect(parse({ data, included }).sessions).toMatchObject([opening])
  expect(parse({ data }).warnings.map(({ message }) => message)).toEqual(
    expect.arrayContaining([expect.stringContaining('--venues FILE'), expect.stringContaining('--speakers FILE')]),
  )
})

test.each([
  'Auditorium',
  'microlocation',
  'Theatre',
  'Main Stage',
  'Venue Room',
  'session_hall',
  'Lecture Hall',
  'Saal/Raum',
  'meeting room',
  'Building',
])('a room under the heading “%s” is a room', (heading) => {
  const { sessions } = parse([{ title: 'Snow', start: '2031-03-14 09:00', [heading]: { title: 'Hall' } }])
  expect(sessions).toMatchObject([{ room: 'Hall' }])
})

test.each(['Room capacity', 'Stage of life', 'Hall pass', 'Location type'])('“%s” is not a room', (heading) => {
  const { sessions } = parse([{ title: 'Snow', start: '2031-03-14 09:00', [heading]: 'x' }])
  expect(sessions).toMatchObject([{ room: '' }])
})
