import { OperatorError } from '../../server/core/operator-error.ts'
import { parseProgram } from '../../server/import/formats/detect.ts'
import { DirectoryError, readSpeakerDirectory, readVenues } from '../../server/import/formats/directories.ts'
import type { ReadingOptions } from '../../server/import/formats/reading-options.ts'
import { readIsoDate } from '../../server/import/formats/wall-clock.ts'
import { applyProgram } from '../../server/import/program-apply.ts'
import { type PlannedSession, planProgram, programChanges } from '../../server/import/program-plan.ts'
import { findImportedEvents } from '../../server/program/events.ts'
import { type PlanOptions, planOrApply } from '../plan-or-apply.ts'
import { formatPlan } from '../plan-report.ts'
import { type ProgramFiles, readProgramFiles } from '../program-files.ts'
import { configuredLimits } from '../with-context.ts'

interface Options extends PlanOptions {
  /** The name of the program, for a summit with several. */
  source: string
  /** Whether the file may replace a program that it shares no session with. */
  replace?: boolean
  /** A file with the names of the venues, for a program that has their numbers. */
  venues?: string
  /** A file with the names of the speakers, for a program that has their numbers. */
  speakers?: string
  /** `YYYY-MM-DD`, for a program with days such as “Thursday” or “Day 1”. */
  firstDay?: string
}

/** `summit import program FILE`: prints the plan, and with `--apply` carries it out. */
export async function importProgram(
  file: string,
  { apply = false, all = false, source, replace = false, ...given }: Options,
): Promise<void> {
  const files = await readProgramFiles(file, given)
  const { name, text, warnings: decodingWarnings } = files.program
  const program = parseProgram(text, name, configuredLimits(), readingOptions(files, given.firstDay))
  const { format, sessions } = program
  const warnings = [...decodingWarnings, ...program.warnings]
  console.log(`${name}: ${format}, usable sessions: ${sessions.length}`)
  if (sessions.length === 0) {
    console.log(formatPlan([], [], warnings, all))
    throw new OperatorError('Nothing was imported: the file has no usable sessions.')
  }
  await planOrApply(
    {
      command: 'import program',
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

/** @throws OperatorError if the first day is no date, or a file of venues or speakers cannot be read */
function readingOptions({ venues, speakers }: ProgramFiles, firstDay: string | undefined): ReadingOptions {
  const day = firstDay === undefined ? undefined : readIsoDate(firstDay)
  if (firstDay !== undefined && day === undefined)
    throw new OperatorError(`--first-day ${firstDay} is not a date; write it as YYYY-MM-DD.`)
  try {
    return {
      firstDay: day,
      venues: venues && readVenues(venues.text, venues.name),
      speakers: speakers && readSpeakerDirectory(speakers.text, speakers.name),
    }
  } catch (error) {
    throw error instanceof DirectoryError ? new OperatorError(error.message) : error
  }
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
