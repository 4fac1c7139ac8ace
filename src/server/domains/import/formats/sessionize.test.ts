import { expect, test } from 'vitest'
import { defaultLimits } from '../../../../contract/limits.ts'
import { parseProgram } from './detect.ts'
import { parseInventedProgram } from './programs.fixtures.ts'

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
    { name: 'Ada Lovelace', position: 'Analyst', company: 'Engines Ltd' },
    { name: 'Alan Turing', position: '', company: '' },
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

test('an exported file has its sessions with rooms and speakers, and positions beyond MAX_TEXT are dropped', () => {
  const { sessions, warnings } = parseInventedProgram('Sessionize JSON')
  expect(warnings).toEqual([
    { line: 99, message: expect.stringContaining('positions of session “Who Repairs the Lift?”') },
  ])
  expect(new Set(sessions.map(({ key }) => key)).size).toBe(12)
  expect(sessions[1]).toMatchObject({ key: '5001', title: 'Snow, Measured', startsAt: '2031-02-14 10:15:00' })
  expect(sessions[1]?.speakers).toEqual([{ name: 'Tadeo Brunner', position: 'Physicist', company: '' }])
  expect(sessions.every(({ room }) => room === 'Gletscher' || room === 'Lärche')).toBe(true)
})
