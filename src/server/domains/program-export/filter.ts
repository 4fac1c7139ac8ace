import type { FailedField } from '../../../contract/envelope.ts'
import { maxListedEvents, type ProgramFileName } from '../../../contract/program-export.ts'
import { Failure } from '../../core/failure.ts'
import type { HandlerInput } from '../../operation.ts'
import type { Program, ProgramEvent } from './program.ts'

type Parameters = Omit<HandlerInput<'exportProgram'>, 'file'>

/** The events that a file is to have; all of them where nothing is given. */
export interface Filter extends Omit<Parameters, 'events'> {
  /** Their ids. */
  events?: readonly string[]
}

/** @throws Failure VALIDATION_FAILED if this file cannot be filtered, or the list of events is too long or no list of ids */
export function readFilter(file: ProgramFileName, { events, ...filter }: Parameters): Filter {
  const given = Object.keys({ ...filter, ...(events !== undefined && { events }) })
  if (file !== 'schedule.ics' && given.length > 0)
    throw new Failure('VALIDATION_FAILED', {
      fields: given.map((field) => invalid(field, 'UNKNOWN', `Only schedule.ics can be filtered by ${field}.`)),
    })
  if (events === undefined) return filter
  const ids = events.split(',')
  const areIds = ids.every((id) => /^[1-9]\d{0,15}$/.test(id))
  if (ids.length > maxListedEvents || !areIds) {
    const message = `events must be at most ${maxListedEvents} ids, separated by commas.`
    const fields = [invalid('events', areIds ? 'TOO_MANY' : 'NOT_AN_INTEGER', message)]
    throw new Failure('VALIDATION_FAILED', { fields })
  }
  return { ...filter, events: ids }
}

const invalid = (field: string, reason: FailedField['reason'], message: string): FailedField => ({
  ...{ field, in: 'query', reason, message },
})

/**
 * The events that pass a filter, with the names of what it selects by.
 * @throws Failure ROOM_NOT_FOUND, TRACK_NOT_FOUND or SPEAKER_NOT_FOUND
 */
export function filterEvents({ events, rooms, tracks, speakers }: Program, filter: Filter) {
  const listed = filter.events && new Set(filter.events)
  const room = find(rooms, filter.room, 'ROOM_NOT_FOUND')
  const track = find(tracks, filter.track, 'TRACK_NOT_FOUND')
  const speaker = find(speakers, filter.speaker, 'SPEAKER_NOT_FOUND')
  const passes = (event: ProgramEvent): boolean =>
    (!listed || listed.has(event.id)) &&
    (!room || event.room === room) &&
    (!track || event.track === track) &&
    (!speaker || event.speakers.includes(speaker))
  return {
    events: events.filter(passes),
    name: [room, track, speaker].flatMap((selected) => selected?.name ?? []).join(', '),
  }
}

function find<R extends { id: string }>(
  records: readonly R[],
  id: number | undefined,
  reason: 'ROOM_NOT_FOUND' | 'TRACK_NOT_FOUND' | 'SPEAKER_NOT_FOUND',
): R | undefined {
  if (id === undefined) return undefined
  const found = records.find((record) => record.id === String(id))
  if (!found) throw new Failure(reason)
  return found
}
