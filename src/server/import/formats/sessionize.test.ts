import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { defaultLimits } from '../../../contract/limits.ts'
import { parseProgram } from './detect.ts'

const parse = (file: unknown) => parseProgram(JSON.stringify(file, null, 1), 'sessionize.json', defaultLimits)
const session = (over: object) => ({
  ...{ id: '1', title: 'T', description: 'D', startsAt: '2026-10-02T09:00:00', endsAt: '2026-10-02T10:00:00' },
  ...{ speakers: [], roomId: 10, status: 'Accepted' },
  ...over,
})

test('reads "all data", with speakers and rooms by their ids', () => {
  const { format, sessions, problems } = parse({
    sessions: [
      session({ speakers: ['s1', 's2', 'gone'] }),
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
    { name: 'Ada Lovelace', position: 'Analyst', company: 'Engines Ltd' },
    { name: 'Alan Turing', position: '', company: '' },
  ])
  expect(problems.map(({ reason }) => reason)).toEqual([
    'The file gives some speakers only by their ids; these were left out.',
    'The session “T” is marked “Declined”; it was left out.',
    'The session “T” has no start time; it was left out.',
  ])
})

test('reads the schedule grid, where what starts after midnight stands under its day', () => {
  const night = session({
    id: '2',
    startsAt: '2026-10-03T00:30:00',
    endsAt: null,
    speakers: [{ id: 'x', name: 'Ada' }],
  })
  const { sessions, problems } = parse([
    {
      date: '2026-10-02T00:00:00',
      rooms: [{ id: 10, name: 'Hall', sessions: [session({ room: 'Hall' }), night] }],
      timeSlots: [],
    },
  ])
  expect(problems).toEqual([])
  expect(sessions[1]).toMatchObject({
    day: '2026-10-02',
    startsAt: '2026-10-03 00:30:00',
    endsAt: '2026-10-03 00:30:00',
  })
  expect(sessions[1]).toMatchObject({ room: 'Hall', speakers: [{ name: 'Ada', position: '', company: '' }] })
})

test('reads grouped sessions', () => {
  const { sessions } = parse([{ groupId: null, groupName: 'All', sessions: [session({ room: 'Lobby' })] }])
  expect(sessions).toEqual([expect.objectContaining({ key: '1', room: 'Lobby', day: '2026-10-02' })])
})

const file = new URL('../../../../../shared/data/scottish-summit.sessionize.json', import.meta.url)
test.skipIf(!existsSync(file))('reads the Scottish Summit: 61 sessions', () => {
  const { sessions, problems } = parseProgram(readFileSync(file, 'utf8'), 'sessionize.json', defaultLimits)
  // Their speakers' positions are longer together than MAX_TEXT.
  expect(problems.map(({ line }) => line)).toEqual([922, 1339])
  expect(new Set(sessions.map(({ key }) => key)).size).toBe(61)
  expect(sessions[0]).toMatchObject({
    key: '1252943',
    room: 'Presidents Suite 1 (150)',
    startsAt: '2026-10-02 09:00:00',
  })
  expect(sessions[0]?.title).toMatch(/^Design and Build/)
  expect(sessions[0]?.speakers).toHaveLength(3)
  expect(sessions.every(({ room }) => room !== '')).toBe(true)
})
