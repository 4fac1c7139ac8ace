import { readIsoDate, type Wall } from '../times/wall-clock.ts'
import type { EventRow } from './session-event.ts'

/** The days on which events start, each once; without cancelled events. */
export function daysOfEvents(events: readonly EventRow[]): Wall[] {
  const takingPlace = events.filter(({ is_cancelled }) => is_cancelled === 0)
  const days = new Set(takingPlace.map(({ date_from }) => (date_from ?? '').slice(0, 10)))
  return [...days].flatMap((day) => readIsoDate(day) ?? [])
}
