import type { EventId, SpeakerId } from '../../core/ids.ts'
import { prepared } from '../../storage/db/prepared.ts'
import type { Db } from '../../storage/db/tables.ts'

// The stored photos of speakers; those of events are in `store.ts`.

/** The pattern of the keys of stored photos; other values are URLs. */
const storedPhotos = 'speakers/%'

const firstSpeaker = prepared((db, event: EventId) =>
  db
    .selectFrom('event_speaker')
    .innerJoin('speaker', 'speaker.id', 'event_speaker.speaker_id')
    .select('speaker.photo')
    .where('event_id', '=', event)
    .orderBy('event_speaker.sort')
    .orderBy('event_speaker.id')
    .limit(1),
)

/** The photo of the first speaker of an event. */
export async function findFirstSpeakerPhoto(db: Db, event: EventId): Promise<string> {
  const [speaker] = await firstSpeaker(db, event)
  return speaker?.photo ?? ''
}

/** Speakers with a stored photo after an id. */
export const listSpeakersWithPhotosAfter = (db: Db, after: number, limit: number) =>
  db
    .selectFrom('speaker')
    .select(['id', 'photo'])
    .where('id', '>', after as SpeakerId)
    .where('photo', 'like', storedPhotos)
    .orderBy('id')
    .limit(limit)
    .execute()

export async function countSpeakerPhotos(db: Db): Promise<number> {
  const { photos } = await db
    .selectFrom('speaker')
    .select(({ fn }) => fn.countAll<number>().as('photos'))
    .where('photo', 'like', storedPhotos)
    .executeTakeFirstOrThrow()
  return Number(photos)
}

/** The photos of speakers whose folders these keys are in. */
export async function findSpeakerPhotos(db: Db, keys: string[]): Promise<string[]> {
  const ids = keys.flatMap((key) => /^speakers\/(\d{1,15})\//.exec(key)?.[1] ?? [])
  if (ids.length === 0) return []
  const speakers = db.selectFrom('speaker').select('photo')
  const rows = await speakers.where('id', 'in', [...new Set(ids)].map(Number) as SpeakerId[]).execute()
  return rows.map(({ photo }) => photo)
}
