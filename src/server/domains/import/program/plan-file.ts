import type { ParsedProgram } from '../source.ts'
import { findPlannedClashes, type NamedClash } from './plan-clashes.ts'
import { planParts } from './plan-parts.ts'
import { type FileScope, findSameProgram, type ProgramPlan, planProgram, type SameProgram } from './program-plan.ts'
import type { StoredProgram } from './stored-program.ts'

/** All that a plan says of a file. */
export interface FilePlan extends ProgramPlan {
  file: ParsedProgram
  /** What the file says of the conference, where it does not count. */
  conferenceDifferences: string[]
  /** Another program that has most of the new sessions. */
  same: SameProgram | undefined
  clashes: NamedClash[]
}

/** @param source the name of the program */
export function planFile(
  { events, parts, activityTitles }: StoredProgram,
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
  }
}
