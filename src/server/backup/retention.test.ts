import { expect, test } from 'vitest'
import { selectRetained } from './retention.ts'

const hourMs = 60 * 60 * 1000
const start = Date.UTC(2030, 4, 1)

/** Backups named by their age in hours at the end of the last one. */
const hourly = (hours: number) =>
  Array.from({ length: hours }, (_, age) => ({
    id: `${age}`,
    createdAt: start - age * hourMs,
    isDamaged: false,
    isScheduled: true,
  }))

test('hourly backups of 90 days leave those of 24 hours, 7 days and 4 weeks', () => {
  const retained = [...selectRetained(hourly(90 * 24))].map(Number).sort((a, b) => a - b)
  expect(retained.slice(0, 24)).toEqual(Array.from({ length: 24 }, (_, age) => age))
  // The newest of each earlier day, at 23:00, and of each earlier week: 1970 began on a Thursday.
  expect(retained.slice(24)).toEqual([25, 49, 73, 97, 121, 145, 313, 481].filter((age) => age > 23))
})

test('of several backups in an hour the newest is retained', () => {
  const backups = [10, 20, 30].map((minutes) => ({
    ...{ id: `${minutes}`, createdAt: start + minutes * 60_000, isDamaged: false, isScheduled: true },
  }))
  expect([...selectRetained(backups)]).toEqual(['30'])
})

test('after months without a backup, the last ones are retained', () => {
  const old = hourly(3).map((backup) => ({ ...backup, createdAt: backup.createdAt - 400 * 24 * hourMs }))
  expect(selectRetained(old)).toEqual(new Set(['0', '1', '2']))
})

test('a damaged backup does not take the place of a sound one, and is removed after four weeks', () => {
  const damaged = { id: 'damaged', createdAt: start + 60_000, isDamaged: true, isScheduled: true }
  const sound = { id: 'sound', createdAt: start, isDamaged: false, isScheduled: true }
  expect(selectRetained([damaged, sound])).toEqual(new Set(['damaged', 'sound']))
  expect(selectRetained([damaged, { ...sound, createdAt: start + 29 * 24 * hourMs }])).toEqual(new Set(['sound']))
})

test('a backup that the operator made is retained for a week', () => {
  const byHand = { id: 'by hand', createdAt: start, isDamaged: false, isScheduled: false }
  const scheduled = (id: string, hours: number) => ({
    ...{ id, createdAt: start + hours * hourMs, isDamaged: false, isScheduled: true },
  })
  const sameHour = scheduled('same hour', 0.1)
  expect(selectRetained([byHand, sameHour])).toEqual(new Set(['by hand', 'same hour']))
  expect(selectRetained([byHand, sameHour, scheduled('next week', 8 * 24)])).toEqual(
    new Set(['same hour', 'next week']),
  )
})
