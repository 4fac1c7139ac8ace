import type { Config } from '../../server/config/config.ts'
import { OperatorError } from '../../server/core/operator-error.ts'
import { daysOfEvents } from '../../server/import/days-of-events.ts'
import { programChanges } from '../../server/import/event-differences.ts'
import { isExportedSchedule, readExportedEvents } from '../../server/import/exported-events.ts'
import { findSameProgram } from '../../server/import/find-same-program.ts'
import { parseProgram } from '../../server/import/formats/detect.ts'
import { DirectoryError, readSpeakerDirectory, readVenues } from '../../server/import/formats/directories.ts'
import type { ReadingOptions } from '../../server/import/formats/reading-options.ts'
import { readIsoDate } from '../../server/import/formats/wall-clock.ts'
import type { DayOrder } from '../../server/import/formats/written-dates.ts'
import { prepareProgram } from '../../server/import/program-apply.ts'
import { type PlannedSession, planProgram } from '../../server/import/program-plan.ts'
import { listAllEvents } from '../../server/program/events.ts'
import { inspectSummit } from '../inspect-summit.ts'
import { type PlanOptions, planOrApply } from '../plan-or-apply.ts'
import { formatPlan } from '../plan-report.ts'
import { toSessionLine } from '../plan-session.ts'
import { type ProgramFiles, readProgramFiles } from '../program-files.ts'
import { describeProgram } from '../program-head.ts'
import { importExportedEvents } from './import-exported-events.ts'

interface Options extends PlanOptions {
  /** The name of the program, for a summit with several. */
  source: string
  /** Whether the file may replace a program that it shares no session with. */
  replace?: boolean
  /** A file with the names of the venues, for a program that has only their numbers. */
  venues?: string
  /** A file with the names of the speakers, for a program that has only their numbers. */
  speakers?: string
  /** `YYYY-MM-DD`, for a program with days such as “Thursday” or “Day 1”. */
  firstDay?: string
  /** The order of day, month and year in the file. */
  dates?: DayOrder
}

/** `summit import program FILE`: prints the plan, and with `--apply` carries it out. */
export async function importProgram(
  config: Config,
  file: string,
  { apply = false, all = false, source, replace = false, ...given }: Options,
): Promise<void> {
  const files = await readProgramFiles(file, given)
  const { name, text, warnings: decodingWarnings } = files.program
  const storedEvents = (await inspectSummit(config, listAllEvents)) ?? []
  const exported = readExportedEvents(text, given.dates, daysOfEvents(storedEvents))
  if (exported) {
    console.log(`${name}: exported events: ${exported.events.length}`)
    return importExportedEvents(config, name, exported, decodingWarnings, { apply, all, source })
  }
  if (isExportedSchedule(text)) throw new OperatorError(`${name} ${scheduleAdvice}`)
  const storedDays = daysOfEvents(storedEvents.filter((event) => event.source === source && event.source_key !== ''))
  const program = parseProgram(text, name, config.limits, { ...readingOptions(files, given), storedDays })
  const { format, sessions } = program
  const warnings = [...decodingWarnings, ...program.warnings]
  const style = { noun: 'sessions', all }
  console.log(`${name}: ${format}, usable sessions: ${sessions.length}`)
  if (sessions.length === 0) {
    console.log(formatPlan([], [], warnings, style))
    throw new OperatorError('Nothing was imported: the file has no usable sessions.')
  }
  for (const line of describeProgram(program)) console.log(`  ${line}`)
  await planOrApply(
    config,
    {
      command: 'import program',
      file: name,
      records: 'event',
      nothingStored: [],
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
        const lines = plan.map((planned) => toSessionLine(planned, planned.session?.cancelled === true))
        console.log(`\n${formatPlan(programChanges, lines, warnings, style)}`)
        if (isAnotherProgram(plan) && !replace) throw new OperatorError(`Nothing was changed. ${anotherProgram}`)
        return plan.some(({ change }) => change !== 'unchanged')
      },
      prepare: (scope) => prepareProgram(scope, source, sessions),
    },
    apply,
  )
}

const scheduleAdvice =
  'is an export of the schedules of events (activities), which cannot be imported. Export and import the list “events” instead.'

/** @throws OperatorError if the first day is not a date, or a file of venues or speakers cannot be read */
function readingOptions(
  { venues, speakers }: ProgramFiles,
  { dates, firstDay }: Omit<Options, 'source'>,
): ReadingOptions {
  const day = firstDay === undefined ? undefined : readIsoDate(firstDay)
  if (firstDay !== undefined && day === undefined)
    throw new OperatorError(`--first-day ${firstDay} is not a date; write it as YYYY-MM-DD.`)
  try {
    return {
      dates,
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

const describeSameProgram = ({ source, count, all }: NonNullable<ReturnType<typeof findSameProgram>>): string =>
  `New sessions that the program “${source}” already has, and that would be listed twice: ${count} of ${all}. To update that ` +
  `program, use --source ${/^[\w.-]+$/.test(source) ? source : `"${source}"`}.`
