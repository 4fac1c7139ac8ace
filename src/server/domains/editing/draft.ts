import type { Draft, DraftEvent } from '../../../contract/editing.ts'
import type { Data } from '../../../contract/index.ts'
import type { Conference } from '../../../contract/schedule.ts'
import { findClashes } from '../../core/clashes.ts'
import { Failure } from '../../core/failure.ts'
import type { EventId, SpeakerId } from '../../core/ids.ts'
import type { HandlerInput } from '../../operation.ts'
import type { Scope } from '../../scope.ts'
import type { Db } from '../../storage/db/tables.ts'
import { isPublished, loadEditedEvents, readPatch, withDraft } from '../program/drafts.ts'
import { findRecords, listRecords } from '../program/records.ts'
import {
  bySort,
  toActivities,
  toConference,
  toRoom,
  toScheduleEvent,
  toSpeaker,
  toTexts,
  toTrack,
} from '../program/schedule.ts'
import { createTimeReader, toDays, zoneOf } from '../program/schedule-times.ts'
import { loadEvents, type StoredEvent } from '../program/stored-events.ts'
import { findNewestRevisionOf, findNewestRevisions } from '../revisions/store.ts'

/** The whole program with what is not published. The number of queries does not depend on that of events. */
export async function getDraft(scope: Scope, { texts = false }: HandlerInput<'getDraft'>): Promise<Data<'getDraft'>> {
  const { db } = scope
  const events = inOrder(await loadEditedEvents(db))
  const [conference] = await listRecords(db, 'conference')
  const speakers = await listRecords(db, 'speaker')
  const toEvent = createEventReader(scope, conference, await findNewestRevisions(db, 'event', events.map(idOf)))
  const shown = events.map((event) => toEvent(event, texts))
  const speakerRevisions = await findNewestRevisions(
    db,
    'speaker',
    speakers.map(({ id }) => id),
  )
  const days = daysOf(shown)
  const draft: Draft = {
    conference: {
      ...toConference(conference, days, scope),
      revision: await findNewestRevisionOf(db, 'conference'),
    },
    rooms: await readRooms(scope),
    tracks: await readTracks(scope),
    speakers: speakers.map(({ biography, links, ...row }) => ({
      ...toSpeaker(texts ? { ...row, biography, links } : row, scope),
      revision: speakerRevisions.get(row.id) ?? 0,
    })),
    events: shown.map(({ event }) => event),
    clashes: findDraftClashes(events),
  }
  return { draft }
}

/** The conference on its own. */
export async function getDraftConference(scope: Scope): Promise<Data<'updateConference'>> {
  const { db } = scope
  const [conference] = await listRecords(db, 'conference')
  const events = hasDays(conference) ? [] : await loadEditedEvents(db)
  const revision = await findNewestRevisionOf(db, 'conference')
  return { conference: { ...showConference(scope, conference, events), revision } }
}

type StoredConference = Parameters<typeof zoneOf>[0]

/** Whether both of its days were set. */
export const hasDays = (conference: StoredConference): boolean =>
  conference !== undefined && conference.first_day !== '' && conference.last_day !== ''

/** The conference; its days are those of the events unless they were set. */
export function showConference(scope: Scope, conference: StoredConference, events: readonly StoredEvent[]): Conference {
  const toEvent = createEventReader(scope, conference, new Map())
  const days = hasDays(conference) ? [] : daysOf(events.map((event) => toEvent(event, false)))
  return toConference(conference, days, scope)
}

const daysOf = (shown: readonly ReturnType<ReturnType<typeof createEventReader>>[]) =>
  toDays(shown.map(({ times, event }) => ({ times, activities: event.activities })))

export const readRooms = async ({ db }: Scope): Promise<Draft['rooms']> => ({
  revision: await findNewestRevisionOf(db, 'room'),
  list: (await listRecords(db, 'room')).sort(bySort).map(toRoom),
})

export const readTracks = async ({ db }: Scope): Promise<Draft['tracks']> => ({
  revision: await findNewestRevisionOf(db, 'track'),
  list: (await listRecords(db, 'track')).sort(bySort).map(toTrack),
})

/** @throws Failure SPEAKER_NOT_FOUND */
export async function getDraftSpeaker(scope: Scope, id: SpeakerId): Promise<Data<'updateSpeaker'>> {
  const [speaker] = await findRecords(scope.db, 'speaker', [id])
  if (!speaker) throw new Failure('SPEAKER_NOT_FOUND')
  const revisions = await findNewestRevisions(scope.db, 'speaker', [id])
  return { speaker: { ...toSpeaker(speaker, scope), revision: revisions.get(id) ?? 0 } }
}

/** An event as it will be once its draft is published. @throws Failure EVENT_NOT_FOUND */
export async function getDraftEvent(scope: Scope, id: EventId): Promise<Data<'updateEvent'>> {
  const { event } = await compareDraftEvent(scope, id)
  return { event }
}

/** Likewise, beside what attendees see of it. @throws Failure EVENT_NOT_FOUND */
export async function compareDraftEvent(scope: Scope, id: EventId): Promise<Data<'getDraftEvent'>> {
  const stored = await findEditedEvent(scope.db, id)
  const [conference] = await listRecords(scope.db, 'conference')
  const toEvent = createEventReader(scope, conference, await findNewestRevisions(scope.db, 'event', [id]))
  const { event } = toEvent(stored, true)
  if (!isPublished(stored)) return { event, published: null }
  const { revision, is_published, is_deleted, changes, ...published } = toEvent(withoutDraft(stored), true).event
  return { event, published }
}

const withoutDraft = (event: StoredEvent): StoredEvent => ({ ...event, row: { ...event.row, draft: '' } })

/** @throws Failure EVENT_NOT_FOUND also for one that was deleted */
export async function findEditedEvent(db: Db, id: EventId): Promise<StoredEvent> {
  const [event] = await loadEvents(db, [id])
  if (event?.row.deleted_at !== 0) throw new Failure('EVENT_NOT_FOUND')
  return event
}

const idOf = ({ row }: StoredEvent): EventId => row.id

/** As attendees will see them: by start, those without one last. */
function inOrder(events: readonly StoredEvent[]): StoredEvent[] {
  const timed = events.map((event) => ({ event, start: withDraft(event).row.date_from ?? '~' }))
  return timed
    .sort((a, b) => (a.start === b.start ? a.event.row.id - b.event.row.id : a.start < b.start ? -1 : 1))
    .map(({ event }) => event)
}

/** The members in which a draft shows what the columns of an event have. */
const memberOf: Readonly<Record<string, keyof DraftEvent>> = {
  date_from: 'starts_at',
  date_to: 'ends_at',
  program_date: 'day',
  speakers: 'speaker_ids',
}

function createEventReader(scope: Scope, conference: StoredConference, revisions: ReadonlyMap<number, number>) {
  const readTimes = createTimeReader(zoneOf(conference, scope), scope)
  return (event: StoredEvent, withTexts: boolean) => {
    const { row, activities, speakers } = withDraft(event)
    const { description, details, links, ...others } = row
    const times = readTimes(row)
    const shown = {
      row: withTexts ? row : others,
      times,
      activities: toActivities(row, activities),
      speakers,
    }
    // The time of the program follows the start, and nobody sees the id in the source.
    const { program_time: _, source_key: __, ...patch } = readPatch(event.row.draft)
    return {
      times,
      event: {
        ...toScheduleEvent(shown, scope),
        ...toTexts(shown),
        revision: revisions.get(row.id) ?? 0,
        is_published: isPublished(event),
        is_deleted: isPublished(event) && row.is_deleted === 1,
        changes: Object.keys(patch).map((column) => memberOf[column] ?? column),
      },
    }
  }
}

/** Among the events as they will be once everything is published. */
export function findDraftClashes(events: readonly StoredEvent[]): Draft['clashes'] {
  const sessions = events
    .map(withDraft)
    .filter(({ row }, at) => !(row.is_deleted === 1 && events[at]?.row.is_deleted === 0))
    .map(({ row, speakers, activities }) => ({
      id: row.id,
      title: row.title,
      startsAt: row.date_from,
      endsAt: row.date_to,
      room: row.room_id,
      speakers,
      isCancelled: row.is_cancelled === 1,
      parts: activities.length > 1 ? activities.map(({ title }) => title) : [],
    }))
  return findClashes(sessions).map(({ kind, shared, sessions: [first, second] }) => ({
    kind,
    id: String(shared),
    event_ids: [String(first.id), String(second.id)],
  }))
}
