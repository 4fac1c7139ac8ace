import { basename } from 'node:path'
import type { Config } from '../../server/config/config.ts'
import { formatCommand } from '../../server/config/format-command.ts'
import type { SettingsOptions } from '../../server/config/sources.ts'
import { OperatorError } from '../../server/core/errors.ts'
import type { EventId } from '../../server/core/ids.ts'
import { prepareCorrections } from '../../server/domains/import/corrections/corrections-apply.ts'
import { planCorrections } from '../../server/domains/import/corrections/corrections-plan.ts'
import {
  type ExportedEvents,
  isExportedSchedule,
  readExportedEvents,
} from '../../server/domains/import/corrections/exported-events.ts'
import { DirectoryError, readSpeakerDirectory, readVenues } from '../../server/domains/import/csv/directories.ts'
import { parseProgram } from '../../server/domains/import/formats/detect.ts'
import { daysOfEvents } from '../../server/domains/import/program/conference-days.ts'
import { findPlannedClashes } from '../../server/domains/import/program/plan-clashes.ts'
import { prepareProgram } from '../../server/domains/import/program/program-apply.ts'
import { assertIntended, isSuspicious } from '../../server/domains/import/program/program-losses.ts'
import { loadParts, noParts, planParts } from '../../server/domains/import/program/program-parts-plan.ts'
import { findSameProgram, planProgram } from '../../server/domains/import/program/program-plan.ts'
import type { ReadingOptions } from '../../server/domains/import/sessions/reading-options.ts'
import type { ImportWarning } from '../../server/domains/import/source.ts'
import { readIsoDate } from '../../server/domains/import/times/wall-clock.ts'
import type { DayOrder } from '../../server/domains/import/times/written-dates.ts'
import { programChanges } from '../../server/domains/program/event-differences.ts'
import { findEventsWithProgram, listAllEvents } from '../../server/domains/program/events.ts'
import { inspectSummit } from '../find-summit.ts'
import { type ProgramFiles, readProgramFiles } from '../import-files.ts'
import { type PlanOptions, planOrApply } from '../plan-or-apply.ts'
import { formatPlan, formatUnused } from '../plan-report.ts'
import {
  describeClashes,
  describeConferenceLeftAlone,
  describeLosses,
  describeOtherDays,
  describeParts,
  describeProgram,
  toSessionLine,
} from '../program-report.ts'

interface Options extends PlanOptions {
  /** The name of the program, for a summit with several. */
  source: string
  /** Whether the file speaks only for the days that it has. */
  onlyDays?: boolean
  /** Whether the file is complete, however much the stored program loses. */
  replace?: boolean
  /** A file with the names of the venues, for a program that has only their numbers. */
  venues?: string
  /** A file with the names of the speakers, for a program that has only their numbers. */
  speakers?: string
  /** `YYYY-MM-DD`, for a program with days such as “Thursday” or “Day 1”. */
  firstDay?: string
  /** The encoding of the files. */
  encoding?: string
  /** The order of day, month and year in the file. */
  dates?: DayOrder
  /** The command line. */
  typed: { settings: SettingsOptions; args: readonly string[] }
}

/** `summit import program FILE`: prints the plan, and with `--apply` carries it out. */
export async function importProgram(
  config: Config,
  file: string,
  { apply = false, all = false, source, onlyDays = false, replace = false, typed, ...given }: Options,
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
  const options = { ...readingOptions(files, given), storedDays, timeZone: config.timeZone }
  const program = parseProgram(text, name, config.limits, options)
  const { format, sessions, unused } = program
  const warnings = [...decodingWarnings, ...program.warnings]
  const style = { noun: 'sessions', all }
  const title = `${name}: ${format}, usable sessions: ${sessions.length}`
  if (sessions.length === 0) {
    console.log(`${title}\n${formatPlan([], [], warnings, style)}${formatUnused(unused, style)}`)
    throw new OperatorError(noUsableSessions)
  }
  // Without --apply, so that the organizer sees its plan first.
  const formatWith = (option: string) =>
    formatCommand(typed.settings, [...typed.args.filter((arg) => arg !== '--apply'), option])
  await planOrApply(
    config,
    {
      command: 'import program',
      file: name,
      changesLogins: false,
      nothingStored: { events: [], parts: noParts, withProgram: new Set<EventId>() },
      loadStored: async (db) => ({
        events: await listAllEvents(db),
        parts: await loadParts(db),
        withProgram: await findEventsWithProgram(db),
      }),
      showPlan: ({ events: stored, parts: storedParts, withProgram }) => {
        const events = stored.filter((event) => event.source_key !== '')
        const resolved = planParts(program, storedParts, stored, source)
        const plan = planProgram(
          resolved,
          events.filter((event) => event.source === source),
          onlyDays,
        )
        const same = findSameProgram(
          plan.sessions,
          events.filter((event) => event.source !== source),
        )
        const head = [
          ...(!replace && isSuspicious(plan.losses) ? describeLosses(plan.losses, onlyDays, formatWith) : []),
          ...describeProgram(program),
          ...describeParts(plan.parts, all),
          ...describeConferenceLeftAlone(resolved.conferenceDifferences),
          ...(onlyDays ? describeOtherDays(plan) : []),
          ...(same ? [describeSameProgram(same)] : []),
          ...describeClashes(findPlannedClashes(plan.sessions, stored, storedParts, withProgram), all),
        ]
        console.log([title, ...head.map((line) => `  ${line}`)].join('\n'))
        const lines = plan.sessions.map((planned) => toSessionLine(planned, planned.session?.cancelled === true))
        console.log(`\n${formatPlan(programChanges, lines, warnings, style)}${formatUnused(unused, style)}`)
        if (!replace) assertIntended(plan.losses)
        return [...plan.sessions, ...plan.parts].some(({ change }) => change !== 'unchanged')
      },
      prepare: (scope) => prepareProgram(scope, source, program, { onlyDays, replace }),
    },
    apply,
  )
}

const noUsableSessions = 'Nothing was imported: the file has no usable sessions.'

const scheduleAdvice =
  'is an export of the schedules of events (activities), which cannot be imported. Export and import the list “events” instead.'

/** @throws OperatorError if the first day is not a date, or a file of venues or speakers cannot be read */
function readingOptions(
  { venues, speakers }: ProgramFiles,
  { dates, firstDay }: Pick<Options, 'dates' | 'firstDay'>,
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

const describeSameProgram = ({ source, count, all }: NonNullable<ReturnType<typeof findSameProgram>>): string =>
  `New sessions that the program “${source}” already has, and that would be listed twice: ${count} of ${all}. To update that ` +
  `program, use --source ${/^[\w.-]+$/.test(source) ? source : `"${source}"`}.`

/** `summit import program FILE` for a list that `summit export events` wrote: changes what was corrected in it. */
async function importExportedEvents(
  config: Config,
  file: string,
  { events, dateReading }: ExportedEvents,
  warnings: readonly ImportWarning[],
  { apply, all, source }: Required<Pick<Options, 'apply' | 'all' | 'source'>>,
): Promise<void> {
  const { limits } = config
  if (dateReading !== undefined) console.log(`  ${dateReading}`)
  await planOrApply(
    config,
    {
      command: 'import program',
      file: basename(file),
      changesLogins: false,
      nothingStored: { events: [], parts: noParts },
      loadStored: async (db) => ({ events: await listAllEvents(db), parts: await loadParts(db) }),
      showPlan: (stored) => {
        const plan = planCorrections(events, stored.events, stored.parts, source, limits)
        if (plan.absent > 0) console.log(`  stored sessions that are not in the file, and stay: ${plan.absent}`)
        for (const line of describeParts(plan.parts, all)) console.log(`  ${line}`)
        const lines = plan.corrections.map((planned) => toSessionLine(planned, planned.correction.is_cancelled === 1))
        const style = { noun: 'sessions', all }
        console.log(
          `\n${formatPlan(programChanges, lines, [...warnings, ...plan.warnings], style)}${formatUnused(plan.unused, style)}`,
        )
        if (plan.corrections.length === 0) throw new OperatorError(noUsableSessions)
        return plan.corrections.some(({ change }) => change !== 'unchanged')
      },
      prepare: (scope) => prepareCorrections(scope, source, events, limits),
    },
    apply,
  )
}
