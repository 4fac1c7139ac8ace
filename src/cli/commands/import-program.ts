import { programChanges } from '../../contract/imports.ts'
import type { Config } from '../../server/config/config.ts'
import { formatCommand } from '../../server/config/format-command.ts'
import type { SettingsOptions } from '../../server/config/sources.ts'
import { OperatorError } from '../../server/core/errors.ts'
import { keepChangedCells } from '../../server/domains/import/program/changed-cells.ts'
import { planFile } from '../../server/domains/import/program/plan-file.ts'
import { prepareProgram } from '../../server/domains/import/program/program-apply.ts'
import { assertIntended, isSuspicious } from '../../server/domains/import/program/program-losses.ts'
import type { SameProgram } from '../../server/domains/import/program/program-plan.ts'
import { readProgramFile } from '../../server/domains/import/program/read-program-file.ts'
import { emptyProgram, listProgramEvents, loadProgram } from '../../server/domains/import/program/stored-program.ts'
import { readIsoDate, type Wall } from '../../server/domains/import/times/wall-clock.ts'
import type { DayOrder } from '../../server/domains/import/times/written-dates.ts'
import { listRecords } from '../../server/domains/program/records.ts'
import { zoneOf } from '../../server/domains/program/schedule-times.ts'
import { inspectSummit } from '../find-summit.ts'
import { readProgramFiles } from '../import-files.ts'
import { type PlanOptions, planOrApply } from '../plan-or-apply.ts'
import { formatPlan, formatUnused } from '../plan-report.ts'
import {
  describeClashes,
  describeConferenceLeftAlone,
  describeDrafts,
  describeEdited,
  describeLosses,
  describeOtherDays,
  describeParts,
  describeProgram,
  describeStale,
  toSessionLine,
} from '../program-report.ts'

interface Options extends PlanOptions {
  /** The name of the program, for a summit with several. */
  source: string
  /** Whether the file speaks only for the days that it has. */
  onlyDays?: boolean
  /** Whether it speaks only for the sessions that it has. */
  partial?: boolean
  /** Whether the file is complete, however much the stored program loses. */
  replace?: boolean
  /** Whether its sessions become drafts, which editors publish. */
  draft?: boolean
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
  { apply = false, all = false, source, onlyDays = false, partial = false, replace = false, ...given }: Options,
): Promise<void> {
  const { draft = false, typed } = given
  const scope = { onlyDays, partial, draft }
  const files = await readProgramFiles(file, given)
  const { name } = files.program
  const { events, conference } = (await inspectSummit(config, async (db) => ({
    events: await listProgramEvents(db, draft),
    conference: (await listRecords(db, 'conference'))[0],
  }))) ?? { events: [], conference: undefined }
  const timeZone = zoneOf(conference, config)
  const choices = { dates: given.dates, firstDay: readFirstDay(given.firstDay), timeZone }
  const program = readProgramFile(files, config.limits, choices, events, source)
  const { format, sessions, unused, warnings } = program
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
      nothingStored: { stored: emptyProgram, file: program },
      loadStored: async (scope) => ({
        stored: await loadProgram(scope.db, draft),
        file: await keepChangedCells(scope, program),
      }),
      showPlan: ({ stored, file }) => {
        const plan = planFile(stored, file, source, scope)
        const head = [
          ...(!replace && isSuspicious(plan.losses) ? describeLosses(plan.losses, scope, formatWith) : []),
          ...describeProgram(program),
          ...describeParts(plan.parts, all),
          ...describeConferenceLeftAlone(plan.conferenceDifferences),
          ...(onlyDays ? describeOtherDays(plan) : []),
          ...(partial ? [`stored sessions that are not in the file, and stay: ${plan.leftAlone}`] : []),
          ...describeEdited(plan.edited, all),
          ...describeStale(plan.sessions, all),
          ...describeDrafts(plan.withDraft, all),
          ...(plan.same ? [describeSameProgram(plan.same)] : []),
          ...describeClashes(plan.clashes, all),
        ]
        console.log([title, ...head.map((line) => `  ${line}`)].join('\n'))
        const lines = plan.sessions.map((planned) => toSessionLine(planned, planned.session?.cancelled === true))
        console.log(`\n${formatPlan(programChanges, lines, warnings, style)}${formatUnused(unused, style)}`)
        if (!replace) assertIntended(plan.losses)
        return [...plan.sessions, ...plan.parts].some(({ change }) => change !== 'unchanged')
      },
      prepare: (write, { file }) => prepareProgram(write, source, file, { ...scope, replace }),
    },
    apply,
  )
}

const noUsableSessions = 'Nothing was imported: the file has no usable sessions.'

/** @throws OperatorError if it is not a date */
function readFirstDay(firstDay: string | undefined): Wall | undefined {
  const day = firstDay === undefined ? undefined : readIsoDate(firstDay)
  if (firstDay !== undefined && day === undefined)
    throw new OperatorError(`--first-day ${firstDay} is not a date; write it as YYYY-MM-DD.`)
  return day
}

const describeSameProgram = ({ source, count, all }: SameProgram): string =>
  `New sessions that the program “${source}” already has, and that would be listed twice: ${count} of ${all}. To update that ` +
  `program, use --source ${/^[\w.-]+$/.test(source) ? source : `"${source}"`}.`
