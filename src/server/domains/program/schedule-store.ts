import { Failure } from '../../core/failure.ts'
import type { EventId, SpeakerId } from '../../core/ids.ts'
import { inChunks } from '../../storage/db/in-chunks.ts'
import { prepared } from '../../storage/db/prepared.ts'
import type { Db, Row } from '../../storage/db/tables.ts'
import type { ProgramRecordKind } from './record-store.ts'
import { type Activity, undatedLast } from './store.ts'

// The whole program as the public may see it: events that are not deleted, and the speakers of these.

const ownColumns = [
  ...(['id', 'guid', 'title', 'subtitle', 'is_cancelled', 'date_from', 'date_to'] as const),
  ...(['program_date', 'program_time'] as const),
  ...(['type', 'language', 'tags', 'code', 'slug', 'license', 'do_not_record'] as const),
  ...(['room_id', 'track_id', 'banner', 'photo'] as const),
] satisfies (keyof Row<'event'>)[]

const texts = ['description', 'details', 'links'] as const

/** An event of the schedule; without its texts and links unless they were asked for. */
export type ScheduledEvent = Pick<Row<'event'>, (typeof ownColumns)[number]> &
  Partial<Pick<Row<'event'>, (typeof texts)[number]>>

/** All events in the order of the program; those without a date come last. */
export const listScheduledEvents = (db: Db, withTexts: boolean): Promise<ScheduledEvent[]> =>
  db
    .selectFrom('event')
    .select(ownColumns)
    .$if(withTexts, (events) => events.select(texts))
    .where('is_deleted', '=', 0)
    .orderBy(undatedLast)
    .orderBy('date_from')
    .orderBy('id')
    .execute()

/** The events among `ids` that the public may see. */
export async function findPublicEvents(db: Db, ids: readonly EventId[]): Promise<Set<EventId>> {
  const rows = await inChunks([...ids], (some) =>
    db.selectFrom('event').select('id').where('id', 'in', some).where('is_deleted', '=', 0).execute(),
  )
  return new Set(rows.map(({ id }) => id))
}

/** The speakers of every event, in order. */
export const listScheduledSpeakers = (db: Db): Promise<{ event_id: EventId; speaker_id: SpeakerId }[]> =>
  db
    .selectFrom('event_speaker')
    .select(['event_id', 'speaker_id'])
    .orderBy('event_id')
    .orderBy('sort')
    .orderBy('id')
    .execute()

/** The activities of every event, by day; within a day in the order of insertion. */
export const listScheduledActivities = (db: Db): Promise<(Activity & { event_id: EventId })[]> =>
  db
    .selectFrom('activity')
    .select(['event_id', 'date', 'time', 'title'])
    .orderBy('event_id')
    .orderBy('date')
    .orderBy('id')
    .execute()

const speakerColumns = ['id', 'guid', 'name', 'position', 'company', 'photo'] as const

/** A speaker of the schedule; without the biography and links unless they were asked for. */
export type ScheduledSpeaker = Pick<Row<'speaker'>, (typeof speakerColumns)[number]> &
  Partial<Pick<Row<'speaker'>, 'biography' | 'links'>>

const publicSpeakers = (db: Db) =>
  db
    .selectFrom('speaker')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('event_speaker')
          .innerJoin('event', 'event.id', 'event_speaker.event_id')
          .select('event.id')
          .whereRef('event_speaker.speaker_id', '=', 'speaker.id')
          .where('event.is_deleted', '=', 0),
      ),
    )

/** The speakers of all events. */
export const listPublicSpeakers = (db: Db, withTexts: boolean): Promise<ScheduledSpeaker[]> =>
  publicSpeakers(db)
    .select(speakerColumns)
    .$if(withTexts, (speakers) => speakers.select(['biography', 'links']))
    .orderBy('id')
    .execute()

const publicSpeakerById = prepared((db, id: SpeakerId) =>
  publicSpeakers(db).select(['id', 'name', 'photo']).where('id', '=', id),
)

/** @throws Failure SPEAKER_NOT_FOUND also for a speaker of no event, or of deleted ones only */
export async function getPublicSpeaker(db: Db, id: SpeakerId): Promise<Pick<Row<'speaker'>, 'id' | 'name' | 'photo'>> {
  const [speaker] = await publicSpeakerById(db, id)
  if (!speaker) throw new Failure('SPEAKER_NOT_FOUND')
  return speaker
}

/** What an event was imported as, and when and how often it was changed. */
export type EventOrigin = Pick<Row<'event'>, 'id' | 'source_key' | 'sequence' | 'created_at' | 'modified_at'>

export const listEventOrigins = (db: Db): Promise<EventOrigin[]> =>
  db
    .selectFrom('event')
    .select(['id', 'source_key', 'sequence', 'created_at', 'modified_at'])
    .where('is_deleted', '=', 0)
    .orderBy('id')
    .execute()

/** When the conference and each room, track and speaker was created and last changed. */
export const listModifications = (db: Db, kind: ProgramRecordKind): Promise<Modification[]> =>
  db
    .selectFrom(kind as 'room')
    .select(['id', 'created_at', 'modified_at'])
    .orderBy('id')
    .execute()

export interface Modification {
  id: number
  created_at: number
  modified_at: number
}
