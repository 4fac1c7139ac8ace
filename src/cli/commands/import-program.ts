import { basename } from 'node:path'
import { OperatorError } from '../../server/core/operator-error.ts'
import { parseProgram } from '../../server/import/formats/detect.ts'
import { applyProgram } from '../../server/import/program-apply.ts'
import { type PlannedSession, planProgram, programChanges } from '../../server/import/program-plan.ts'
import { findImportedEvents } from '../../server/program/events.ts'
import { type PlanOptions, planOrApply } from '../plan-or-apply.ts'
import { planReport } from '../plan-report.ts'
import { readText } from '../read-text.ts'
import { configuredLimits } from '../with-context.ts'

interface Options extends PlanOptions {
  /** Which program it is, for a summit that has several files. */
  source: string
  /** Whether a program that has nothing in common with the one before may take its place. */
  replace?: boolean
}

/** `summit import program FILE`: prints the plan; does it with `--apply`. */
export async function importProgram(
  file: string,
  { apply = false, all = false, source, replace = false }: Options,
): Promise<void> {
  const { text, remarks } = await readText(file)
  const program = parseProgram(text, basename(file), configuredLimits())
  const { format, sessions } = program
  const problems = [...remarks, ...program.problems]
  console.log(`${basename(file)}: ${format}, usable sessions: ${sessions.length}`)
  if (sessions.length === 0) {
    console.log(planReport([], [], problems, all))
    throw new OperatorError('Nothing was imported: the file holds no session that can be used.')
  }
  await planOrApply(
    {
      command: 'import program',
      known: (db) => findImportedEvents(db, source),
      showPlan: (known) => {
        const plan = planProgram(sessions, known)
        console.log(planReport(programChanges, plan.map(toLine), problems, all))
        if (isAnotherProgram(plan) && !replace) throw new OperatorError(`Nothing was changed. ${anotherProgram}`)
      },
      apply: (scope, onProgress) => applyProgram(scope, source, sessions, onProgress),
    },
    apply,
  )
}

/** Whether the file shares no session with what was imported before, so that it may well be another program. */
const isAnotherProgram = (plan: readonly PlannedSession[]): boolean =>
  plan.some((planned) => planned.change === 'cancelled') && plan.every(({ session, eventId }) => !session || !eventId)

const anotherProgram =
  'This file has no session in common with the program imported before, all of which would be cancelled. If it is a ' +
  'further program of the same summit, import it under a name of its own: --source NAME. If it takes the place of the ' +
  'one before: --replace'

const toLine = ({ change, title, place, differences }: PlannedSession) => ({
  change,
  text: `${title} (${place})`,
  differences,
})
