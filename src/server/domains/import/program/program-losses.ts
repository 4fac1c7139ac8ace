import { OperatorError } from '../../../core/errors.ts'
import { isExported } from '../source.ts'
import { createDayReader, slotOf } from './conference-days.ts'
import type { PlannedSession } from './program-plan.ts'
import type { EventRow } from './session-event.ts'

/** The losses of the stored program, if the file were only a part of it, or another program. */
export interface Losses {
  /** Stored sessions that take place, and for which the file speaks. */
  stored: number
  /** Those that the file lacks. */
  missing: number
  /** Those whose id the file gives to a session with another title, at another time. */
  replaced: number
  /** Conference days with stored sessions that the file leaves out, except those that it has, by their id, on other days. */
  daysLeftOut: { day: string; sessions: number }[]
  /** Whether no session of the file is stored. */
  isUnrelated: boolean
}

/**
 * Counts what a plan would take away from the stored program.
 * @param stored the events for which the file speaks
 */
export function findLosses(plan: readonly PlannedSession[], stored: readonly EventRow[]): Losses {
  const live = stored.filter((event) => event.is_cancelled === 0)
  const found = new Map(plan.flatMap(({ session, eventId }) => (session && eventId ? [[eventId, session]] : [])))
  const slots = plan.flatMap(({ session }) => (session ? [slotOf(session)] : []))
  const days = new Set(slots.map(createDayReader(slots)))
  const dayOf = createDayReader(stored)
  const byId = (event: EventRow) => {
    const session = found.get(event.id)
    return session?.key === event.source_key ? session : undefined
  }
  // Those in Summit's own spreadsheet were moved by hand.
  const edited = new Set(plan.flatMap(({ session, eventId }) => (session && isExported(session) ? [eventId] : [])))
  const hasTitle = (event: EventRow, title: string | undefined) => title?.toLowerCase() === event.title.toLowerCase()
  const missing = live.filter(({ id }) => !found.has(id)).length
  const replaced = live.filter((event) => {
    const session = byId(event)
    return session && session.startsAt !== event.date_from && !hasTitle(event, session.title)
  }).length
  const leftOut = live.filter(
    (event) =>
      dayOf(event) !== '' && !days.has(dayOf(event)) && !edited.has(event.id) && !hasTitle(event, byId(event)?.title),
  )
  return {
    stored: live.length,
    missing,
    replaced,
    daysLeftOut: [...Map.groupBy(leftOut, dayOf)]
      .map(([day, events]) => ({ day, sessions: events.length }))
      .sort((a, b) => (a.day < b.day ? -1 : 1)),
    isUnrelated: missing > 0 && found.size === 0,
  }
}

/** An ordinary correction loses fewer sessions than this, or less than a fifth of the program. */
const manySessions = 5

/** Whether a program loses so much that the organizer has to say that this is intended. */
export function isSuspicious({ stored, missing, replaced, daysLeftOut, isUnrelated }: Losses): boolean {
  const lost = missing + replaced
  return isUnrelated || daysLeftOut.length > 0 || (lost >= manySessions && lost * 5 >= stored)
}

/** @throws OperatorError if the losses are suspicious */
export function assertIntended(losses: Losses): void {
  if (isSuspicious(losses))
    throw new OperatorError(
      'Nothing was changed. This file may be only a part of the program, or another one; the plan begins with the ' +
        `reasons. To go on, add ${losses.daysLeftOut.length > 0 ? '--only-days, ' : ''}--source NAME or --replace.`,
    )
}
