import { expect, test } from 'vitest'
import { defaultLimits } from '../../../../contract/limits.ts'
import { parseProgram } from './detect.ts'
import { parseInventedProgram, speakerWith } from './programs.fixtures.ts'

const parse = (file: unknown) => parseProgram(JSON.stringify(file, null, 1), 'sessionize.json', defaultLimits)
const session = (over: object) => ({
  ...{ id: '1', title: 'T', description: 'D', startsAt: '2026-10-02T09:00:00', endsAt: '2026-10-02T10:00:00' },
  ...{ speakers: [], roomId: 10, status: 'Accepted' },
  ...over,
})

test('"all data" is read, with speakers and rooms by their ids', () => {
  const { format, sessions, warnings } = parse({
    sessions: [
      session({ speakers: ['s1', 's2', 'missing'] }),
      session({ id: '2', status: 'Declined' }),
      session({ id: '3', startsAt: null }),
    ],
    speakers: [
      {
        ...{ id: 's1', firstName: 'Ada', lastName: 'Lovelace', fullName: 'Ada Lovelace', tagLine: 'Analyst' },
        questionAnswers: [{ questionId: 5, answerValue: 'Engines Ltd' }],
      },
      { id: 's2', firstName: 'Alan', lastName: 'Turing', tagLine: null, questionAnswers: [] },
    ],
    questions: [{ id: 5, question: 'Company name' }],
    rooms: [{ id: 10, name: 'Hall' }],
    categories: [],
  })
  expect(format).toBe('Sessionize JSON')
  expect(sessions).toHaveLength(1)
  expect(sessions[0]).toMatchObject({
    key: '1',
    room: 'Hall',
    startsAt: '2026-10-02 09:00:00',
    endsAt: '2026-10-02 10:00:00',
  })
  expect(sessions[0]?.speakers).toEqual([
    speakerWith({ name: 'Ada Lovelace', position: 'Analyst', company: 'Engines Ltd', key: 's1' }),
    speakerWith({ name: 'Alan Turing', key: 's2' }),
  ])
  expect(warnings.map(({ message }) => message)).toEqual([
    'Some speakers are given only by an id; they were left out.',
    'Session “T” has the status “Declined”; skipped.',
    'Session “T” has no start time; skipped.',
  ])
})

test('the schedule grid is read, and a session after midnight belongs to the day that it is listed under', () => {
  const night = session({
    id: '2',
    startsAt: '2026-10-03T00:30:00',
    endsAt: null,
    speakers: [{ id: 'x', name: 'Ada' }],
  })
  const { sessions, warnings } = parse([
    {
      date: '2026-10-02T00:00:00',
      rooms: [{ id: 10, name: 'Hall', sessions: [session({ room: 'Hall' }), night] }],
      timeSlots: [],
    },
  ])
  expect(warnings).toEqual([])
  expect(sessions[1]).toMatchObject({
    day: '2026-10-02',
    startsAt: '2026-10-03 00:30:00',
    endsAt: '2026-10-03 00:30:00',
  })
  expect(sessions[1]).toMatchObject({ room: 'Hall', speakers: [{ name: 'Ada', position: '', company: '' }] })
})

test('grouped sessions are read', () => {
  const { sessions } = parse([{ groupId: null, groupName: 'All', sessions: [session({ room: 'Lobby' })] }])
  expect(sessions).toEqual([expect.objectContaining({ key: '1', room: 'Lobby', day: '2026-10-02' })])
})

test('an exported file has its sessions with rooms and speakers', () => {
  const { sessions, rooms, warnings } = parseInventedProgram('Sessionize JSON')
  expect(warnings).toEqual([])
  expect(new Set(sessions.map(({ key }) => key)).size).toBe(12)
  expect(sessions[1]).toMatchObject({ key: '5001', title: 'Snow, Measured', startsAt: '2031-02-14 10:15:00' })
  expect(sessions[1]?.speakers).toEqual([
    speakerWith({
      ...{ name: 'Tadeo Brunner', position: 'Physicist', biography: expect.stringContaining('Measures snow.') },
      ...{ key: '1e6aef80-2794-5587-8883-ff0f695a53d8', guid: '1e6aef80-2794-5587-8883-ff0f695a53d8' },
      photo: 'https://pictures.example/tadeo.jpg',
    }),
  ])
  expect(sessions.every(({ room }) => room === 'Gletscher' || room === 'Lärche')).toBe(true)
  expect(rooms.map(({ name, key }) => [name, key])).toEqual([
    ['Lärche', '11'],
    ['Gletscher', '10'],
    ['Terrasse', '12'],
  ])
})

test('a speaker has a biography, a picture and links to pages', () => {
  const { sessions } = parseInventedProgram('Sessionize JSON')
  expect(sessions[0]?.speakers).toMatchObject([
    {
      ...{ name: 'Mira Solari', position: 'Organizer', photo: 'https://pictures.example/mira.jpg' },
      biography: '<p>Mira builds <strong>boats</strong>.</p><p>And bridges.</p>',
      links: [{ title: 'Blog', url: 'https://mira.example/' }],
    },
    { name: 'Jon Bergé', biography: '', photo: '', links: [] },
  ])
})

test('the categories of an organizer are the track, type, language and tags of a session, and its URLs are links', () => {
  const { sessions, tracks } = parseInventedProgram('Sessionize JSON')
  expect(sessions.slice(0, 9).map(({ track, type, language, tags }) => [track, type, language, tags])).toEqual([
    ['Plenary', 'Plenum session', '', []],
    ['Sky', 'Talk (45 min)', 'en', ['Beginner']],
    ['', 'Service session', '', []],
    ['Build & Repair', 'Talk (45 min)', 'de', ['Advanced']],
    ['', 'Service session', '', []],
    ['Sky', 'Late talk', 'de', []],
    ['', '', '', []],
    ['Build & Repair', 'Talk (45 min)', 'en', ['Advanced']],
    ['Build & Repair', 'Late talk', 'en, de', []],
  ])
  expect(tracks.map(({ name }) => name)).toEqual(['Plenary', 'Build & Repair', 'Sky'])
  expect(sessions.flatMap(({ links }) => links)).toEqual([
    { rel: 'stream', title: '', url: 'https://live.example/maps' },
    { rel: 'recording', title: '', url: 'https://video.example/radio' },
  ])
})

const choices = (...categories: [name: string, ...items: string[]][]) => ({
  categories: categories.map(([name, ...names]) => ({ name, categoryItems: names.map((each) => ({ name: each })) })),
})

test.each([
  ['Track', 'Cloud', { track: 'Cloud' }],
  ['Topic of the talk', 'Cloud', { track: 'Cloud' }],
  ['Thema', 'Wolken', { track: 'Wolken' }],
  ['Session format', 'Workshop', { type: 'Workshop' }],
  ['Vortragsformat', 'Workshop', { type: 'Workshop' }],
  ['Session type', 'Workshop', { type: 'Workshop' }],
  ['Type de session', 'Atelier', { type: 'Atelier' }],
  ['Additional information', 'Bring a boat', { tags: ['Bring a boat'] }],
  ['Language', 'German', { language: 'de' }],
  ['Vortragssprache', 'Französisch', { language: 'fr' }],
  ['Langue', 'Espagnol', { language: 'es' }],
  ['Language', 'pt_br', { language: 'pt-BR' }],
  ['Language', '日本語', { language: 'ja' }],
  ['Programming language', 'Go', { tags: ['Go'] }],
  ['Could it be in another language?', 'No', {}],
  ['Language', 'Klingonese', { tags: ['Klingonese'] }],
  ['Level', '100 – Beginner', { tags: ['100 – Beginner'] }],
  ['First time?', 'Yes', {}],
])('what was chosen as “%s”, %s, is %j', (category, item, meaning) => {
  const none = { track: '', type: '', language: '', tags: [] }
  const { sessions } = parse([{ sessions: [session(choices([category, item]))] }])
  expect(sessions).toMatchObject([{ ...none, ...meaning }])
})

test('of several categories, the likeliest is the track; other choices are tags', () => {
  const { sessions } = parse([
    { sessions: [session(choices(['Topic', 'Boats'], ['Your track', 'Cloud', 'Security'], ['Level', 'All']))] },
  ])
  expect(sessions).toMatchObject([{ track: 'Cloud', tags: ['Boats', 'Security', 'All'] }])
})

test('of hostile values, those of no use are left out and the others shortened', () => {
  const many = Array.from({ length: 10_000 }, (_, n) => `tag ${n}`)
  const { sessions, rooms } = parse({
    sessions: [
      session({
        ...{ speakers: ['s1'], liveUrl: 'javascript:alert(1)', recordingUrl: ['x'], isServiceSession: 'x' },
        ...choices(['Language', 'x'.repeat(1_000_000)], ['Other', ...many]),
      }),
    ],
    speakers: [
      {
        ...{ id: 's1', fullName: 'Ada', bio: 'b'.repeat(1_000_000), profilePicture: 'javascript:alert(1)' },
        links: [
          { title: {}, url: 'data:text/html,x' },
          null,
          ...many.map((tag, n) => ({ title: tag, url: `https://x.example/${n}` })),
        ],
      },
    ],
    rooms: [{ id: [], name: 'Hall' }, { id: 7 }, 'x'],
    categories: [null, { title: [], items: [{}] }],
  })
  expect(sessions).toMatchObject([{ type: '', language: '', links: [], tags: expect.any(Array) }])
  expect(sessions[0]?.tags).toHaveLength(50)
  expect(sessions[0]?.tags[0]).toHaveLength(255)
  expect(sessions[0]?.speakers).toMatchObject([{ name: 'Ada', photo: '' }])
  expect(sessions[0]?.speakers[0]?.links).toHaveLength(50)
  expect(sessions[0]?.speakers[0]?.biography).toHaveLength('<p></p>'.length + 100_000)
  expect(rooms.map(({ name }) => name)).toEqual(['Hall'])
})
