import type { EventDifferences, ProgramChange } from '../server/domains/import/event-differences.ts'
import type { PlanLine } from './plan-report.ts'

/** The change that an import would make to one session. */
interface PlannedChange extends Omit<EventDifferences, 'change'> {
  change: ProgramChange
  title: string
  /** Room and start. */
  whereAndWhen: string
}

/**
 * Formats a session as a line of a plan.
 * @param isCancelled in the file; said of new sessions only, since that of others is a change of its own
 */
export const toSessionLine = (
  { change, title, whereAndWhen, differences, sharedDifference }: PlannedChange,
  isCancelled: boolean,
): PlanLine<ProgramChange> => ({
  change,
  text: `${title} (${whereAndWhen})${change === 'new' && isCancelled ? ' (cancelled)' : ''}`,
  differences,
  shared: sharedDifference,
})
