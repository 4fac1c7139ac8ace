import { basename } from 'node:path'
import type { Config } from '../../server/config/config.ts'
import { OperatorError } from '../../server/core/operator-error.ts'
import { parseProgram } from '../../server/import/formats/detect.ts'
import { applyProgram } from '../../server/import/program-apply.ts'
import { type PlannedSession, planProgram, programChanges } from '../../server/import/program-plan.ts'
import { findImportedEvents } from '../../server/program/events.ts'
import { type PlanOptions, planOrApply } from '../plan-or-apply.ts'
import { formatPlan } from '../plan-report.ts'
import { readText } from '../read-text.ts'

interface Options extends PlanOptions {
  /** The name of the program, for a summit with several. */
  source: string
  /** Whether the file may replace a program that it shares no session with. */
  replace?: boolean
}

/** `summit import program FILE`: prints the plan, and with `--apply` carries it out. */
export async function importProgram(
  config: Config,
  file: string,
  { apply = false, all = false, source, replace = false }: Options,
): Promise<void> {
  const decoded = await readText(file)
  const program = parseProgram(decoded.text, basename(file), config.limits)
  const { format, sessions } = program
  const warnings = [...decoded.warnings, ...program.warnings]
  console.log(`${basename(file)}: ${format}, usable sessions: ${sessions.length}`)
  if (sessions.length === 0) {
    console.log(formatPlan([], [], warnings, all))
    throw new OperatorError('Nothing was imported: the file has no usable sessions.')
  }
  await planOrApply(
    config,
    {
      command: 'import program',
      file: basename(file),
      records: 'event',
      loadStored: (db) => findImportedEvents(db, source),
      showPlan: (stored) => {
        const plan = planProgram(sessions, stored)
        console.log(formatPlan(programChanges, plan.map(toLine), warnings, all))
        if (isAnotherProgram(plan) && !replace) throw new OperatorError(`Nothing was changed. ${anotherProgram}`)
      },
      apply: (scope, onProgress) => applyProgram(scope, source, sessions, onProgress),
    },
    apply,
  )
}

/** Whether the file shares no session with the program imported before, and so may be a different one. */
const isAnotherProgram = (plan: readonly PlannedSession[]): boolean =>
  plan.some((planned) => planned.change === 'cancelled') && plan.every(({ session, eventId }) => !session || !eventId)

const anotherProgram =
  'This file has no session in common with the program imported before, so all sessions of that program would be ' +
  'cancelled. To import a second program for the same summit, name it with --source NAME. To replace the program ' +
  'imported before, add --replace.'

const toLine = ({ change, title, whereAndWhen, differences }: PlannedSession) => ({
  change,
  text: `${title} (${whereAndWhen})`,
  differences,
})
