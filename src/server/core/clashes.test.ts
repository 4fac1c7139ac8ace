import { expect, test } from 'vitest'
import { findClashes, findConcurrent, type TimedSession } from './clashes.ts'

const session = (title: string, times: string, others: Partial<TimedSession> = {}): TimedSession => {
  const [startsAt = null, endsAt = null] = times === '' ? [] : times.split('-').map((time) => `2030-05-02 ${time}:00`)
  return { title, startsAt, endsAt, room: 1, speakers: [], isCancelled: false, parts: [], ...others }
}

const found = (...sessions: TimedSession[]) =>
  findClashes(sessions).map(({ kind, shared, sessions: [a, b] }) => `${kind} ${shared}: ${a.title}, ${b.title}`)

test('sessions in one room clash if they overlap, each with each', () => {
  expect(
    found(
      session('C', '10:00-11:00'),
      session('A', '09:00-12:00'),
      session('B', '09:30-10:30'),
      session('D', '12:00-13:00'),
    ),
  ).toEqual(['room 1: A, B', 'room 1: A, C', 'room 1: B, C'])
  expect(found(session('A', '09:00-10:00'), session('B', '09:30-10:30', { room: 2 }))).toEqual([])
})

test('sessions of one speaker clash in any rooms, and once only, even if the speaker is named twice', () => {
  const [a, b] = [
    session('A', '09:00-10:00', { speakers: [7, 8] }),
    session('B', '09:59-11:00', { room: 2, speakers: [8, 8] }),
  ]
  expect(found(a, b)).toEqual(['speaker 8: A, B'])
  expect(found(a, { ...b, startsAt: '2030-05-02 10:00:00' })).toEqual([])
})

test.each([
  ['is cancelled', { isCancelled: true }],
  ['has no end', { endsAt: null }],
  ['has no length', { endsAt: '2030-05-02 09:30:00' }],
  ['has no start', { startsAt: null }],
  ['has no room', { room: undefined }],
])('a session that %s clashes with none', (_, others) => {
  expect(found(session('A', '09:00-10:00'), session('B', '09:30-10:30', others))).toEqual([])
})

test('a session with a programme of its own takes up its room, but for the sessions that are part of it', () => {
  const talks = session('Lightning talks', '09:00-10:00', { parts: ['Knots', 'Boats'] })
  const [knots, panel] = [session('Knots', '09:00-09:10'), session('Panel', '09:30-10:30')]
  expect(found(talks, knots)).toEqual([])
  expect(found(talks, panel)).toEqual(['room 1: Lightning talks, Panel'])
  for (const [one, other] of [
    [talks, knots],
    [knots, talks],
  ] as const)
    expect(findConcurrent([one], other)).toEqual([])
  expect(findConcurrent([talks], panel)).toEqual([talks])
  expect(findConcurrent([panel], talks)).toEqual([panel])
})

test('of the sessions that count, all clashes are found, however many those of others are', () => {
  const others = Array.from({ length: 20_000 }, (_, index) => session(`${index}`, '09:00-10:00'))
  const [a, b] = [session('A', '09:30-10:30', { room: 2 }), session('B', '10:00-11:00', { room: 2 })]
  const counting = new Set([a, b])
  expect(findClashes([...others, a, b], (each) => counting.has(each))).toMatchObject([{ sessions: [a, b] }])
  const late = session('C', '09:59-10:30')
  expect(findClashes([...others.slice(0, 3), late], (each) => each === late)).toHaveLength(3)
  const early = session('D', '08:00-09:01')
  expect(findClashes([...others.slice(0, 3), early], (each) => each === early)).toHaveLength(3)
})

test('a file in which all sessions overlap is no reason to compare each with each', () => {
  const sessions = Array.from({ length: 20_000 }, (_, index) => session(`${index}`, '09:00-10:00'))
  expect(findClashes(sessions)).toHaveLength(1_000)
})

test('one clashes with those at its time if they share something, and with no others', () => {
  const sessions = ['08:00-09:00', '08:30-09:30', '09:00-10:00', '09:59-12:00', '10:00-11:00'].map((times) =>
    session(times, times),
  )
  const at = session('At', '09:00-10:00')
  expect(findConcurrent(sessions, at).map(({ title }) => title)).toEqual(['08:30-09:30', '09:00-10:00', '09:59-12:00'])
  expect(findClashes([at, ...sessions], (one) => one === at)).toHaveLength(3)
  expect(findConcurrent(sessions, session('Some day', ''))).toEqual([])
  expect(findConcurrent([{ ...at, isCancelled: true }], at)).toEqual([])
})
