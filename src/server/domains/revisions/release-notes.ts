import type { eventChanges } from '../../../contract/revisions.ts'
import type { EventId, RoomId, SpeakerId, TrackId } from '../../core/ids.ts'
import type { StoredEvent } from '../program/stored-events.ts'
import type { RevisedKind } from './states.ts'

// What a revision changed for attendees. It is kept as ids, times and kinds of change: whoever reads it sees the titles and
// names of then as they are now, and an erased name is gone from here, too. Only rooms and tracks have their former names.

/** When and where an event took place. */
export type Slot = Pick<StoredEvent['row'], 'date_from' | 'date_to' | 'room_id'>

/** Nobody reads of an event that was removed: it has no title that is public. */
type EventChange = (typeof eventChanges)[number] | 'removed'

export interface EventNote {
  event: EventId
  changes: EventChange[]
  /** Where it moved from. */
  from?: Slot
  to?: Slot
}

/** Another name of a room or track. */
export type NameNote = ({ room: RoomId } | { track: TrackId }) & { from: string; to: string }

/** The first events that are public: one line says more than one for each. */
export interface ProgramNote {
  program: 'new'
}

export type Note = EventNote | NameNote | ProgramNote

interface RecordChange {
  kind: RevisedKind
  record_id: number
  /** `''` for a record that did not exist. */
  before: string
  after: string
}

/** The notes on these changes of records, in their order. */
export const noteChanges = (changes: readonly RecordChange[]): Note[] =>
  changes.flatMap(({ kind, before, after }): Note[] => {
    if (kind === 'event') return noteEvent(parse<StoredEvent>(before), parse<StoredEvent>(after))
    if ((kind !== 'room' && kind !== 'track') || before === '' || after === '') return []
    const [from, to] = [before, after].map((state) => (JSON.parse(state) as { row: { id: number; name: string } }).row)
    if (!from || !to || from.name === to.name) return []
    const names = { from: from.name, to: to.name }
    return [kind === 'room' ? { room: to.id as RoomId, ...names } : { track: to.id as TrackId, ...names }]
  })

/**
 * Where no event was public before, one note says more than one for each.
 * @param published the number of public events after the change
 */
export function shortenNotes(notes: readonly Note[], published: number): readonly Note[] {
  const ofEvents = notes.filter((note) => 'event' in note)
  const areNew = ofEvents.length > 0 && ofEvents.every(({ changes }) => changes.includes('new'))
  if (!areNew || published > ofEvents.length) return notes
  return [{ program: 'new' }, ...notes.filter((note) => !('event' in note))]
}

const parse = <S>(state: string): S | undefined => (state === '' ? undefined : (JSON.parse(state) as S))

/** The note of a release about an event; none for changes that it does not name. */
export function noteEvent(before: StoredEvent | undefined, after: StoredEvent | undefined): Note[] {
  const from = published(before)
  const to = published(after)
  if (!to) return from ? [{ event: from.row.id, changes: ['removed'] }] : []
  const event = to.row.id
  if (!from) return [{ event, changes: ['new'] }]
  const hasMoved = slotColumns.some((column) => from.row[column] !== to.row[column])
  const changes: [EventChange, boolean][] = [
    ['cancelled', to.row.is_cancelled > from.row.is_cancelled],
    ['restored', to.row.is_cancelled < from.row.is_cancelled],
    ['moved', hasMoved],
    ['retitled', from.row.title !== to.row.title],
    ['speakers', !hasSame(from.speakers, to.speakers)],
  ]
  const made = changes.flatMap(([change, isMade]) => (isMade ? [change] : []))
  if (made.length === 0) return []
  return [{ event, changes: made, ...(hasMoved && { from: slotOf(from), to: slotOf(to) }) }]
}

const slotColumns = ['date_from', 'date_to', 'room_id'] as const

const slotOf = ({ row: { date_from, date_to, room_id } }: StoredEvent): Slot => ({ date_from, date_to, room_id })

const published = (event: StoredEvent | undefined) => (event?.row.is_deleted === 0 ? event : undefined)

const hasSame = (a: readonly SpeakerId[], b: readonly SpeakerId[]): boolean =>
  a.length === b.length && a.every((id) => b.includes(id))
