import { basename } from 'node:path'
import type { Config } from '../../server/config/config.ts'
import { OperatorError } from '../../server/core/operator-error.ts'
import { programChanges } from '../../server/import/event-differences.ts'
import { isExportedSchedule, readExportedEvents } from '../../server/import/exported-events.ts'
import { findSameProgram } from '../../server/import/find-same-program.ts'
import { parseProgram } from '../../server/import/formats/detect.ts'
import type { DayOrder } from '../../server/import/formats/written-dates.ts'
import { applyProgram } from '../../server/import/program-apply.ts'
import { type PlannedSession, planProgram } from '../../server/import/program-plan.ts'
import { listAllEvents } from '../../server/program/events.ts'
import { type PlanOptions, planOrApply } from '../plan-or-apply.ts'
import { formatPlan } from '../plan-report.ts'
import { describeProgram } from '../program-head.ts'
import { readText } from '../read-text.ts'
import { importExportedEvents } from './import-exported-events.ts'

interface Options extends PlanOptions {
  /** The name of the program, for a summit with several. */
  source: string
  /** Whether the file may replace a program that it shares no session with. */
  replace?: boolean
  /** The order of day, month and year in the file. */
  dates?: DayOrder
}

/** `summit import program FILE`: prints the plan, and with `--apply` carries it out. */
export async function importProgram(
  config: Config,
  file: string,
  { apply = false, all = false, source, replace = false, dates }: Options,
): Promise<void> {
  const decoded = await readText(file)
  const exported = readExportedEvents(decoded.text, dates)
  if (exported) {
    console.log(`${basename(file)}: exported events: ${exported.events.length}`)
    return importExportedEvents(config, file, exported, decoded.warnings, { apply, all, source })
  }
  if (isExportedSchedule(decoded.text)) throw new OperatorError(`${basename(file)} ${scheduleAdvice}`)
  const program = parseProgram(decoded.text, basename(file), config.limits, { dates })
  const { format, sessions } = program
  const warnings = [...decoded.warnings, ...program.warnings]
  const style = { noun: 'sessions', all }
  console.log(`${basename(file)}: ${format}, usable sessions: ${sessions.length}`)
  if (sessions.length === 0) {
    console.log(formatPlan([], [], warnings, style))
    throw new OperatorError('Nothing was imported: the file has no usable sessions.')
  }
  for (const line of describeProgram(program)) console.log(`  ${line}`)
  await planOrApply(
    config,
    {
      command: 'import program',
      file: basename(file),
      records: 'event',
      loadStored: async (db) => (await listAllEvents(db)).filter((event) => event.source_key !== ''),
      showPlan: (stored) => {
        const plan = planProgram(
          sessions,
          stored.filter((event) => event.source === source),
        )
        const same = findSameProgram(
          plan,
          stored.filter((event) => event.source !== source),
        )
        if (same) console.log(`  ${describeSameProgram(same)}`)
        console.log(`\n${formatPlan(programChanges, plan.map(toLine), warnings, style)}`)
        if (isAnotherProgram(plan) && !replace) throw new OperatorError(`Nothing was changed. ${anotherProgram}`)
        return plan.some(({ change }) => change !== 'unchanged')
      },
      apply: (scope, onProgress) => applyProgram(scope, source, sessions, onProgress),
    },
    apply,
  )
}

const scheduleAdvice =
  'is an export of the schedules of events (activities), which cannot be imported. Export and import the list events.'

/** Whether the file shares no session with the program imported before, and so may be a different one. */
const isAnotherProgram = (plan: readonly PlannedSession[]): boolean =>
  plan.some((planned) => planned.change === 'cancelled') && plan.every(({ session, eventId }) => !session || !eventId)

const anotherProgram =
  'This file has no session in common with the program imported before, so all sessions of that program would be ' +
  'cancelled. To import a second program for the same summit, name it with --source NAME. To replace the program ' +
  'imported before, add --replace.'

const describeSameProgram = ({ source, count, all }: NonNullable<ReturnType<typeof findSameProgram>>): string =>
  `${count} of ${all} new sessions are already in the program “${source}”, and would be listed twice. To update that ` +
  `program, use --source ${/^[\w.-]+$/.test(source) ? source : `"${source}"`}.`

const toLine = ({ change, title, whereAndWhen, differences, sharedDifference }: PlannedSession) => ({
  change,
  text: `${title} (${whereAndWhen})`,
  differences,
  shared: sharedDifference,
})
