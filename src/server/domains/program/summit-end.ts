import { fromLocal } from '../../core/clock.ts'
import { Failure } from '../../core/failure.ts'
import { dayMs } from '../../core/time-units.ts'
import type { Scope } from '../../scope.ts'
import { findLastDay } from './store.ts'

/** The rest of a summit whose end neither `SUMMIT_ENDS` nor the program names. */
const fallbackMs = 90 * dayMs

/** The most, however late the summit ends: no wrong date in the program keeps people signed in for years. */
const longestMs = 180 * dayMs

/**
 * The time until which participants may sign in, or stay signed in, in milliseconds since 1970. A program in the past
 * is not that of the next summit.
 * @param graceMs after the end of the summit
 * @throws Failure SUMMIT_ENDED after the day of `SUMMIT_ENDS`, and `graceMs`
 */
export async function findEndOfAttendance({ db, now, timestamp, summitEnds }: Scope, graceMs = 0): Promise<number> {
  const day = summitEnds ?? (await findLastDay(db))
  const end = day === undefined ? 0 : endOfDay(day, timestamp) + graceMs
  if (end > now) return Math.min(end, now + longestMs)
  if (summitEnds !== undefined) throw new Failure('SUMMIT_ENDED')
  return now + fallbackMs
}

/** @param day `YYYY-MM-DD` in the time zone of `timestamp` */
const endOfDay = (day: string, timestamp: Scope['timestamp']): number =>
  fromLocal(Date.parse(`${day}T00:00:00Z`) + dayMs, timestamp)
