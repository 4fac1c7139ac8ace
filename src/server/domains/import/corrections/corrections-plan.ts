import type { Limits } from '../../../../contract/limits.ts'
import { quote } from '../../../core/clean-text.ts'
import { commandName } from '../../../core/command-name.ts'
import {
  compareEvent,
  type EventDifferences,
  formatWhereAndWhen,
  type ProgramChange,
} from '../../program/event-differences.ts'
import type { PlannedPart, StoredParts } from '../program/program-parts-plan.ts'
import { createKeyGenerator, type EventRow, type EventWithSpeakers } from '../program/session-event.ts'
import { readUuid } from '../sessions/source-values.ts'
import type { ImportWarning, UnusedValues } from '../source.ts'
import { areJoined, type References, resolveTexts } from './corrected-texts.ts'
import { type Correction, ignoredCells, listUnread, readCorrection } from './correction.ts'
import type { ExportedEvent } from './exported-events.ts'
import { matchExportedEvents } from './match-exported-events.ts'

/** The change that a corrected export would make to one event. */
export interface PlannedCorrection extends Omit<EventDifferences, 'change'> {
  change: ProgramChange
  title: string
  /** Room and start, for display. */
  whereAndWhen: string
  /** The values to change. */
  correction: Correction
  /** The stored event, or the identity of a new one. */
  event: EventWithSpeakers | NewIdentity
  references: References
}

/** A change before the rooms and speakers of all are known. */
type Unresolved = Omit<PlannedCorrection, 'references'>

interface NewIdentity {
  id?: undefined
  source: string
  source_key: string
  guid?: string
}

export interface CorrectionsPlan {
  corrections: PlannedCorrection[]
  /** The rooms and speakers that have to be written before. */
  parts: PlannedPart[]
  /** The stored events that are not in the file, and stay. */
  absent: number
  warnings: ImportWarning[]
  /** The columns with changed cells that are not imported. */
  unused: UnusedValues[]
}

/**
 * Compares an exported list of events, which may have been corrected, with the stored events.
 * @param source of new events whose row names none
 */
export function planCorrections(
  rows: readonly ExportedEvent[],
  events: readonly EventWithSpeakers[],
  stored: StoredParts,
  source: string,
  limits: Limits,
): CorrectionsPlan {
  const matches = matchExportedEvents(rows, events)
  const identify = createIdentifier(events, source)
  const warnings: ImportWarning[] = []
  const lineById = new Map<string, number>()
  const lineOf = new Map<Unresolved, number>()
  const unresolved = rows.flatMap((row): Unresolved[] => {
    const { line } = row
    const event = matches.get(row)
    const id = row.get('id') ?? ''
    const name = quote(row.get('title') || id)
    const first = id === '' ? undefined : lineById.get(id)
    lineById.set(id, first ?? line)
    const correction =
      first === undefined ? readCorrection(row, event, limits) : `its id ${id} is already in line ${first}`
    if (typeof correction === 'string') {
      warnings.push({ line, message: `Session ${name}: ${correction}; row skipped.`, weight: 'skipped' })
      return []
    }
    if (event) for (const message of ignoredCells(row, event, correction)) warnings.push({ line, message })
    if (hasOtherPicture(row, event)) {
      const message = `The pictures of session ${name} were left as they are; to change them: ${commandName} import images FOLDER`
      warnings.push({ line, message })
    }
    const planned = event ? planChange(correction, event) : planNew(correction, identify(row))
    lineOf.set(planned, line)
    return [planned]
  })
  const { references, parts } = resolveTexts(unresolved, events, stored)
  const corrections = unresolved.map(
    (planned): PlannedCorrection => ({ ...planned, references: references.get(planned) ?? {} }),
  )
  for (const [planned, line] of lineOf)
    if (areJoined(references.get(planned) ?? {})) {
      const message = `The speakers of session ${quote(planned.title)} become one, as it is unclear whose each position and company is.`
      warnings.push({ line, message })
    }
  return { corrections, parts, absent: events.length - matches.size, warnings, unused: listUnread(rows, matches) }
}

/** Pictures are stored files, which a cell cannot change. */
const hasOtherPicture = (row: ExportedEvent, event: EventRow | undefined): boolean =>
  (['banner', 'photo'] as const).some(
    (column) => (row.get(column) ?? event?.[column] ?? '') !== (event?.[column] ?? ''),
  )

function planChange(correction: Correction, event: EventWithSpeakers): Unresolved {
  const { title, location_name, date_from } = { ...event, ...correction }
  const whereAndWhen = formatWhereAndWhen(location_name, date_from)
  return { title, whereAndWhen, ...compareEvent(correction, event), correction, event }
}

function planNew(given: Correction, identity: NewIdentity): Unresolved {
  const [day = '', time = ''] = given.date_from?.split(' ') ?? []
  const correction = { program_date: day, program_time: time, ...given }
  const { title = '', location_name = '', date_from = null } = correction
  const whereAndWhen = formatWhereAndWhen(location_name, date_from)
  return { change: 'new', differences: [], title, whereAndWhen, correction, event: identity }
}

/** Creates a function that gives new events the identity in their row, as far as it is free. */
function createIdentifier(events: readonly EventRow[], source: string): (row: ExportedEvent) => NewIdentity {
  const generateKey = createKeyGenerator(new Set(events.map((event) => event.source_key)))
  const identityOf = (identity: { source: string; source_key: string }) =>
    JSON.stringify([identity.source, identity.source_key])
  const taken = new Set(events.map(identityOf))
  return (row) => {
    const identity = { source: row.get('source') || source, source_key: row.get('source_key') ?? '' }
    if (identity.source_key === '' || taken.has(identityOf(identity)))
      identity.source_key = generateKey(row.get('title') ?? '', row.get('speaker') ?? '')
    taken.add(identityOf(identity))
    const guid = readUuid(row.get('guid'))
    return { ...identity, ...(guid !== '' && { guid }) }
  }
}
