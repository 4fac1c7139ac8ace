import type { NamedClash } from '../server/domains/import/program/plan-clashes.ts'
import type { Losses } from '../server/domains/import/program/program-losses.ts'
import type { PlannedPart } from '../server/domains/import/program/program-parts-plan.ts'
import {
  type FileScope,
  isReverted,
  type PlannedSession,
  type ProgramPlan,
} from '../server/domains/import/program/program-plan.ts'
import { isExported, type ParsedProgram, type SourceSession } from '../server/domains/import/source.ts'
import { formatLongDay } from '../server/domains/import/times/wall-clock.ts'
import type { EventDifferences, ProgramChange } from '../server/domains/program/event-differences.ts'
import type { PlanLine } from './plan-report.ts'

/** Describes a program at the head of its plan, where a wrong reading shows: days, rooms, dates, and missing ids. */
export function describeProgram({ sessions, dateReading }: ParsedProgram): string[] {
  return [
    `days: ${describeDays(sessions)}`,
    `rooms: ${new Set(sessions.map(({ room }) => room).filter(Boolean)).size}`,
    ...(dateReading === undefined ? [] : [dateReading]),
    ...describeMissingIds(sessions),
  ]
}

/** Lines of one kind that are listed without `--all`; of any others, only the number. */
const maxLines = 10

const listSome = (lines: readonly string[], all: boolean, formatRest = formatMore): readonly string[] =>
  all || lines.length <= maxLines ? lines : [...lines.slice(0, maxLines), formatRest(lines.length - maxLines)]

const formatMore = (rest: number): string => `- … and ${rest} more (--all lists them)`

const partNames = { conference: 'conference', room: 'room', track: 'track', speaker: 'speaker' } as const

/**
 * Describes the rooms, tracks and speakers that a file adds and changes, and what it says of the conference.
 * @param all whether to list every one of them by name
 */
export function describeParts(parts: readonly PlannedPart[], all: boolean): string[] {
  const added = Map.groupBy(
    parts.filter(({ kind, change }) => kind !== 'conference' && change === 'new'),
    ({ kind }) => kind,
  )
  const changed = parts.filter(({ kind, change, differences }) =>
    kind === 'conference' ? differences.length > 0 : change === 'changed',
  )
  return [
    ...[...added].flatMap(([kind, ofKind]) => [
      `new ${partNames[kind]}s: ${ofKind.length}`,
      ...(all ? ofKind.map(({ values }) => `- ${nameOf(values)}`) : []),
    ]),
    ...listSome(
      changed.map(describePart),
      all,
      (rest) => `… and ${rest} more rooms, tracks or speakers changed (--all lists them)`,
    ),
  ]
}

/** Describes what a file says of the conference, if it does not count. */
export const describeConferenceLeftAlone = (differences: readonly string[]): string[] =>
  differences.length === 0
    ? []
    : [`conference: stays as it is, since it has sessions of other programs; in this file: ${differences.join(', ')}`]

const nameOf = (values: PlannedPart['values']): string => ('name' in values ? String(values.name) : '')

function describePart({ kind, values, differences }: PlannedPart): string {
  const name = kind === 'conference' ? '' : ` “${nameOf(values)}”`
  return `${partNames[kind]}${name}: ${differences.join(', ')}`
}

/** Describes the sessions that overlap in one room or with one speaker. */
export function describeClashes(clashes: readonly NamedClash[], all: boolean): string[] {
  if (clashes.length === 0) return []
  const lines = clashes.map(({ kind, name, sessions }) => {
    const [first, second] = sessions.map(
      ({ title, startsAt, endsAt }) => `“${title}” (${startsAt?.slice(0, 16)} to ${endsAt?.slice(11, 16)})`,
    )
    return `- ${kind} “${name}”: ${first} and ${second}`
  })
  return [`sessions that overlap in one room or with one speaker: ${clashes.length}`, ...listSome(lines, all)]
}

/** Describes the sessions of a spreadsheet that were changed after it was written, and would get its values. */
export const describeStale = (sessions: readonly PlannedSession[], all: boolean): string[] =>
  listSessions(
    'sessions that were changed since the spreadsheet was written, and get its values',
    sessions.filter(isReverted),
    all,
  )

/** Describes the sessions that organizers have changed since they were last imported. */
export const describeEdited = (sessions: readonly PlannedSession[], all: boolean): string[] =>
  listSessions(
    'sessions that organizers have changed since the last import, and that get the values of the file',
    sessions,
    all,
  )

/** Describes the sessions of which editors have changed something that is not published. */
export const describeDrafts = (sessions: readonly PlannedSession[], all: boolean): string[] =>
  listSessions(
    'sessions with changes that are not published, of which those stay that the file does not make itself',
    sessions,
    all,
  )

function listSessions(title: string, sessions: readonly PlannedSession[], all: boolean): string[] {
  if (sessions.length === 0) return []
  const lines = sessions.map(({ title, whereAndWhen }) => `- “${title}” (${whereAndWhen})`)
  return [`${title}: ${sessions.length}`, ...listSome(lines, all)]
}

function describeDays(sessions: readonly SourceSession[]): string {
  const days = [...new Set(sessions.map(({ day }) => day))].sort()
  const [first = '', last = ''] = [days.at(0), days.at(-1)]
  return days.length === 1 ? `1, ${toLongDay(first)}` : `${days.length}, from ${toLongDay(first)} to ${toLongDay(last)}`
}

const toLongDay = (day: string): string => formatLongDay(Date.parse(`${day}T00:00:00Z`))

function describeMissingIds(sessions: readonly SourceSession[]): string[] {
  const count = sessions.filter((session) => session.key === '' && !isExported(session)).length
  if (count === 0) return []
  return [
    `sessions without an id: ${count}. They are recognized by title, speakers, start and room; with a column “ID”, every ` +
      'correction finds its session.',
  ]
}

/** Days that are listed; of any others, only the number. */
const maxDays = 5

/**
 * Describes what the stored program would lose, and how to go on.
 * @param formatWith the command with one more option
 */
export function describeLosses(
  { stored, missing, replaced, daysLeftOut, isUnrelated }: Losses,
  { onlyDays, partial }: FileScope,
  formatWith: (option: string) => string,
): string[] {
  const moreDays = daysLeftOut.slice(maxDays)
  return [
    'This file may be only a part of the program, or another one. Nothing is changed until you decide:',
    ...daysLeftOut
      .slice(0, maxDays)
      .map((left) => `- no sessions on ${toLongDay(left.day)} (stored: ${left.sessions})`),
    ...(moreDays.length > 0 ? [`- no sessions on ${moreDays.length} more days (stored: ${sum(moreDays)})`] : []),
    ...(isUnrelated ? ['- no session in common with the program imported before'] : []),
    ...(missing > 0 ? [`- stored sessions that would be cancelled: ${missing} of ${stored}`] : []),
    ...(replaced > 0
      ? [`- stored sessions whose ids the file has with other titles, at other times: ${replaced} of ${stored}`]
      : []),
    ...(daysLeftOut.length > 0 && !partial
      ? ['If it has all sessions of its days, and those of other days stay:', `    ${formatWith('--only-days')}`]
      : []),
    partial ? 'If they are the same sessions:' : `If it has all sessions of ${onlyDays ? 'its days' : 'the program'}:`,
    `    ${formatWith('--replace')}`,
    ...(onlyDays || partial ? [] : ['If it has only some of the sessions, and all others stay: --partial']),
    'If it is another program, or only a room or track of one, give it a name of its own: --source NAME',
  ]
}

const sum = (days: Losses['daysLeftOut']): number => days.reduce((all, { sessions }) => all + sessions, 0)

/** Describes what becomes of sessions of days that a file does not speak for. */
export const describeOtherDays = ({ leftAlone, withSharedId: [first, ...others] }: ProgramPlan): string[] => [
  `sessions of other days, which are left alone: ${leftAlone}`,
  ...(first === undefined
    ? []
    : [
        `sessions with the id of a session of another day: ${others.length + 1}, the first “${first.title}” (${first.key}). ` +
          'They are taken for other sessions. If any was moved here, import the whole program instead.',
      ]),
]

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
