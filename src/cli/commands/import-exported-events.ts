import { basename } from 'node:path'
import type { Config } from '../../server/config/config.ts'
import { OperatorError } from '../../server/core/operator-error.ts'
import { prepareCorrections } from '../../server/domains/import/corrections-apply.ts'
import { planCorrections } from '../../server/domains/import/corrections-plan.ts'
import { programChanges } from '../../server/domains/import/event-differences.ts'
import type { ExportedEvents } from '../../server/domains/import/exported-events.ts'
import type { ImportWarning } from '../../server/domains/import/source.ts'
import { listAllEvents } from '../../server/domains/program/events.ts'
import { planOrApply } from '../plan-or-apply.ts'
import { formatPlan } from '../plan-report.ts'
import { toSessionLine } from '../program-report.ts'

interface Options {
  apply: boolean
  all: boolean
  /** The program of new sessions. */
  source: string
}

export const noUsableSessions = 'Nothing was imported: the file has no usable sessions.'

/** `summit import program FILE` for a list that `summit export events` wrote: changes what was corrected in it. */
export async function importExportedEvents(
  config: Config,
  file: string,
  { events, dateReading }: ExportedEvents,
  warnings: readonly ImportWarning[],
  { apply, all, source }: Options,
): Promise<void> {
  const { limits } = config
  if (dateReading !== undefined) console.log(`  ${dateReading}`)
  await planOrApply(
    config,
    {
      command: 'import program',
      file: basename(file),
      records: 'event',
      nothingStored: [],
      loadStored: listAllEvents,
      showPlan: (stored) => {
        const plan = planCorrections(events, stored, source, limits)
        if (plan.absent > 0) console.log(`  stored sessions that are not in the file, and stay: ${plan.absent}`)
        const lines = plan.corrections.map((planned) => toSessionLine(planned, planned.correction.is_cancelled === 1))
        const style = { noun: 'sessions', all }
        console.log(`\n${formatPlan(programChanges, lines, [...warnings, ...plan.warnings], style)}`)
        if (plan.corrections.length === 0) throw new OperatorError(noUsableSessions)
        return plan.corrections.some(({ change }) => change !== 'unchanged')
      },
      prepare: (scope) => prepareCorrections(scope, source, events, limits),
    },
    apply,
  )
}
