import type { EventId } from '../../../core/ids.ts'
import type { ParsedProgram } from '../source.ts'
import { findPlannedClashes, type NamedClash } from './plan-clashes.ts'
import { planParts } from './plan-parts.ts'
import {
  type FileScope,
  findSameProgram,
  type PlannedSession,
  type ProgramPlan,
  planProgram,
  type SameProgram,
} from './program-plan.ts'
import type { StoredProgram } from './stored-program.ts'

/** All that a plan says of a file. */
export interface FilePlan extends ProgramPlan {
  file: ParsedProgram
  /** What the file says of the conference, where it does not count. */
  conferenceDifferences: string[]
  /** Another program that has most of the new sessions. */
  same: SameProgram | undefined
  clashes: NamedClash[]
  /** Those that organizers have changed since they were last imported. */
  edited: PlannedSession[]
}

/** @param source the name of the program */
export function planFile(
  { events, parts, activityTitles, edited }: StoredProgram,
  file: ParsedProgram,
  source: string,
  scope: FileScope,
): FilePlan {
  const resolved = planParts(file, parts, events, source)
  const plan = planProgram(resolved, events, source, scope)
  const others = events.filter((event) => event.source !== source && event.source_key !== '')
  return {
    ...plan,
    file,
    conferenceDifferences: resolved.conferenceDifferences,
    same: findSameProgram(plan.sessions, others),
    clashes: findPlannedClashes(plan.sessions, events, parts, activityTitles),
    edited: plan.sessions.filter((planned) => isEdited(planned, edited)),
  }
}

/** @param edited the events that organizers have changed since they were last imported */
function isEdited({ change, eventId, session }: PlannedSession, edited: ReadonlySet<EventId>): boolean {
  if (change === 'unchanged' || eventId === undefined || !edited.has(eventId)) return false
  // Summit's own spreadsheet says which state it shows.
  return !session?.shownAt || session.isStale === true
}
