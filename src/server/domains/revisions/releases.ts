import type { Data } from '../../../contract/index.ts'
import type { Release, ReleasedEvent } from '../../../contract/revisions.ts'
import type { PageParams } from '../../core/paging.ts'
import type { Scope } from '../../scope.ts'
import type { Db } from '../../storage/db/tables.ts'
import { listRecords } from '../program/records.ts'
import { listScheduledEvents, parseList } from '../program/schedule.ts'
import { createInstantFormatter, createTimeReader, formatTime, zoneOf } from '../program/schedule-times.ts'
import type { StoredEvent } from '../program/stored-events.ts'
import { type EventNote, type NameNote, type Note, noteEvent, type Slot, shortenNotes } from './release-notes.ts'
import { listReleasesBefore, type ReleasedRevision } from './store.ts'

/**
 * A page of what attendees read of changes, newest first. What is not public any more is left out. A release that was undone
 * stays, as does that of its undo: who has read that a session moved has to read that it moved back.
 */
export async function listReleases(scope: Scope, { offset, limit }: PageParams): Promise<Data<'listReleases'>> {
  const toRelease = await createReleaseReader(scope, await findShown(scope.db))
  const releases: Release[] = []
  for (
    let before = Number.MAX_SAFE_INTEGER, rows = batchSize;
    rows === batchSize && releases.length < offset + limit;
  ) {
    const revisions = await listReleasesBefore(scope.db, before, batchSize)
    releases.push(...revisions.flatMap((revision) => toRelease(revision) ?? []))
    before = revisions.at(-1)?.id ?? before
    rows = revisions.length
  }
  return { releases: releases.slice(offset, offset + limit) }
}

/**
 * What attendees will read once events are published: the same as in the list of releases after that.
 * @param before these events as they are
 * @param after as their publication will leave them, in the same order
 */
export async function planRelease(
  scope: Scope,
  before: readonly StoredEvent[],
  after: readonly StoredEvent[],
): Promise<Pick<Release, 'is_first' | 'events'>> {
  const shown = await findShown(scope.db)
  const published = new Map(shown.map((event) => [event.id, event]))
  for (const { row } of after) {
    if (row.is_deleted === 0) published.set(row.id, row)
    else published.delete(row.id)
  }
  const noted = after.flatMap((event, at) => noteEvent(before[at], event))
  const notes = JSON.stringify(shortenNotes(noted, published.size))
  const toRelease = await createReleaseReader(scope, [...published.values()])
  const release = toRelease({ id: 0, at: scope.now, note: '', notes, undone_at: 0 })
  return { is_first: release?.is_first ?? false, events: release?.events ?? [] }
}

/** Rows read per query. */
const batchSize = 500

const isRemoval = (note: Note): boolean => 'event' in note && note.changes.includes('removed')

type ShownEvent = Pick<StoredEvent['row'], 'id' | 'title' | 'room_id' | 'track_id'>

const findShown = (db: Db): Promise<ShownEvent[]> => listScheduledEvents(db, false)

/** @param events those that are public, which is all that a release shows */
async function createReleaseReader(scope: Scope, events: readonly ShownEvent[]) {
  const { db } = scope
  const [conference] = await listRecords(db, 'conference')
  const rooms = new Map((await listRecords(db, 'room')).map(({ id, name }) => [id, name]))
  const titles = new Map(events.map(({ id, title }) => [id, title]))
  const shown = {
    room: new Set(events.map(({ room_id }) => room_id)),
    track: new Set(events.map(({ track_id }) => track_id)),
  }
  const zone = zoneOf(conference, scope)
  const formatInstant = createInstantFormatter(zone, scope)
  const readTimes = createTimeReader(zone, scope)
  const toSlot = ({ room_id, ...times }: Slot) => {
    const { start, end } = readTimes({ program_date: '', ...times })
    const room = room_id === null ? null : (rooms.get(room_id) ?? null)
    return { starts_at: formatTime(start), ends_at: formatTime(end), room }
  }
  const toEvent = ({ event, changes, from, to }: EventNote): ReleasedEvent[] => {
    const title = titles.get(event)
    const shown = changes.filter((change) => change !== 'removed')
    if (title === undefined || shown.length === 0) return []
    return [
      { event_id: String(event), title, changes: shown, ...(from && to && { from: toSlot(from), to: toSlot(to) }) },
    ]
  }
  const toRenamed = (id: number, { from, to }: NameNote) => ({ id: String(id), from, to })
  return ({ id, at, note, notes, undone_at }: ReleasedRevision): Release | undefined => {
    const all = parseList<Note>(notes).filter((note) => !isRemoval(note))
    const release = {
      is_first: all.some((note) => 'program' in note) && events.length > 0,
      events: all.flatMap((note) => ('event' in note ? toEvent(note) : [])),
      rooms: all.flatMap((note) => ('room' in note && shown.room.has(note.room) ? toRenamed(note.room, note) : [])),
      tracks: all.flatMap((note) =>
        'track' in note && shown.track.has(note.track) ? toRenamed(note.track, note) : [],
      ),
    }
    const isEmpty =
      !release.is_first && [release.events, release.rooms, release.tracks].every((list) => list.length === 0)
    // The note of organizers may name what is not public any more; alone, it says what else has changed.
    if (isEmpty && (all.length > 0 || undone_at !== 0 || note === '')) return undefined
    return {
      id: String(id),
      at: formatInstant(at),
      note: undone_at === 0 ? note : '',
      is_undone: undone_at !== 0,
      ...release,
    }
  }
}
