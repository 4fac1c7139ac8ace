import type { PlannedSession } from './program-plan.ts'
import type { EventRow } from './session-event.ts'

/** New sessions that a program of another name has already. */
interface SameProgram {
  source: string
  /** How many of the new sessions. */
  count: number
  /** All new sessions. */
  all: number
}

/**
 * Finds the program that holds most of the new sessions of a plan, by id or by title and start.
 * @param others the events of programs of other names
 * @returns none if each of these programs has less than half of the new sessions
 */
export function findSameProgram(plan: readonly PlannedSession[], others: readonly EventRow[]): SameProgram | undefined {
  const added = plan.flatMap(({ change, session }) => (change === 'new' && session ? [session] : []))
  const programs = Map.groupBy(
    others.filter((event) => event.is_cancelled === 0),
    (event) => event.source,
  )
  const found = [...programs].map(([source, events]): SameProgram => {
    const keys = new Set(events.map((event) => event.source_key))
    const slots = new Set(events.map(({ title, date_from }) => slotOf(title, date_from)))
    const known = added.filter(({ key, title, startsAt }) => keys.has(key) || slots.has(slotOf(title, startsAt)))
    return { source, count: known.length, all: added.length }
  })
  return found.filter(({ count, all }) => count > 0 && 2 * count >= all).sort((a, b) => b.count - a.count)[0]
}

const slotOf = (title: string, start: string | null): string => `${start} ${title.toLowerCase()}`
