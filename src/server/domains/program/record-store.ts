import type { EventId, RoomId, SpeakerId, TrackId } from '../../core/ids.ts'
import { inChunks, insertChunks } from '../../storage/db/in-chunks.ts'
import { prepared } from '../../storage/db/prepared.ts'
import type { Db, NewRow, Row } from '../../storage/db/tables.ts'
import type { Person, Place } from './projection.ts'

/** What events refer to, and the conference. The tables have these names. */
export type ProgramRecordKind = 'conference' | 'room' | 'track' | 'speaker'

export type ProgramRecord<K extends ProgramRecordKind> = Row<K>

/** The values of a record that can be changed. */
export type ProgramRecordValues<K extends ProgramRecordKind> = Partial<Omit<NewRow<K>, 'id' | 'created_at'>>

// Kysely cannot type a query of a table that is a parameter; the four have the same columns where these use them.

export async function listRecords<K extends ProgramRecordKind>(db: Db, kind: K): Promise<ProgramRecord<K>[]> {
  const rows = await db
    .selectFrom(kind as 'room')
    .selectAll()
    .orderBy('id')
    .execute()
  return rows as unknown as ProgramRecord<K>[]
}

export async function findRecords<K extends ProgramRecordKind>(
  db: Db,
  kind: K,
  ids: readonly number[],
): Promise<ProgramRecord<K>[]> {
  const rows = await inChunks([...ids], (some) =>
    db
      .selectFrom(kind as 'room')
      .selectAll()
      .where('id', 'in', some as RoomId[])
      .orderBy('id')
      .execute(),
  )
  return rows as unknown as ProgramRecord<K>[]
}

/** The number of speakers, and of those whose photo is on another site. */
export async function countSpeakers(db: Db): Promise<{ speakers: number; linkedPhotos: number }> {
  const { speakers, linkedPhotos } = await db
    .selectFrom('speaker')
    .select(({ fn, eb }) => [
      fn.countAll<number>().as('speakers'),
      fn
        .count<number>(
          eb
            .case()
            .when(fn('lower', ['photo']), 'like', 'http%')
            .then(1)
            .end(),
        )
        .as('linkedPhotos'),
    ])
    .executeTakeFirstOrThrow()
  return { speakers: Number(speakers), linkedPhotos: Number(linkedPhotos) }
}

export async function insertRecord<K extends ProgramRecordKind>(db: Db, kind: K, values: NewRow<K>): Promise<number> {
  const insert = db.insertInto(kind as 'room').values(values as unknown as NewRow<'room'>)
  return (await insert.returning('id').executeTakeFirstOrThrow()).id
}

export async function changeRecord<K extends ProgramRecordKind>(
  db: Db,
  kind: K,
  id: number,
  values: ProgramRecordValues<K>,
): Promise<void> {
  const update = db.updateTable(kind as 'room').set(values as ProgramRecordValues<'room'>)
  await update.where('id', '=', id as RoomId).execute()
}

export const deleteRecord = async (db: Db, kind: ProgramRecordKind, id: number): Promise<void> => {
  await db
    .deleteFrom(kind as 'room')
    .where('id', '=', id as RoomId)
    .execute()
}

const placesById = prepared((db, id: RoomId) =>
  db.selectFrom('room').select(['name', 'building', 'address']).where('id', '=', id),
)

export async function findPlace(db: Db, id: RoomId): Promise<Place | undefined> {
  const [place] = await placesById(db, id)
  return place
}

const peopleById = prepared((db, ids: SpeakerId[]) =>
  db.selectFrom('speaker').select(['id', 'name', 'position', 'company']).where('id', 'in', ids),
)

/** The speakers, in the order of the ids. */
export async function findPeople(db: Db, ids: readonly SpeakerId[]): Promise<(Person & { id: SpeakerId })[]> {
  if (ids.length === 0) return []
  const people = new Map((await peopleById(db, [...ids])).map((person) => [person.id, person]))
  return ids.flatMap((id) => people.get(id) ?? [])
}

/** The events in rooms or tracks, or with speakers, each with the id of the room, track or speaker. */
export async function findEventsWith(
  db: Db,
  kind: Exclude<ProgramRecordKind, 'conference'>,
  ids: readonly number[],
): Promise<{ id: number; event: EventId }[]> {
  return inChunks([...ids], async (some) => {
    if (kind === 'speaker') {
      const rows = db.selectFrom('event_speaker').select(['speaker_id as id', 'event_id as event'])
      return rows.where('speaker_id', 'in', some as SpeakerId[]).execute()
    }
    const column = kind === 'room' ? 'room_id' : 'track_id'
    const rows = db.selectFrom('event').select([`${column} as id`, 'id as event'])
    const found = await rows.where(column, 'in', some as (RoomId & TrackId)[]).execute()
    return found.map(({ id, event }) => ({ id: id ?? 0, event }))
  })
}

/** The room of each of these events, by the id of the event. */
export async function findRoomsOf(db: Db, events: readonly EventId[]): Promise<[EventId, RoomId | null][]> {
  const rows = await inChunks([...events], (some) =>
    db.selectFrom('event').select(['id', 'room_id']).where('id', 'in', some).execute(),
  )
  return rows.map(({ id, room_id }) => [id, room_id])
}

const speakersByEvent = prepared((db, ids: EventId[]) =>
  db
    .selectFrom('event_speaker')
    .select(['event_id', 'speaker_id'])
    .where('event_id', 'in', ids)
    .orderBy('event_id')
    .orderBy('sort')
    .orderBy('id'),
)

/** The speakers of events, in order. */
export async function findSpeakersOf(db: Db, events: readonly EventId[]): Promise<Map<EventId, SpeakerId[]>> {
  const rows = await inChunks([...events], (some) => speakersByEvent(db, some))
  const speakers = new Map<EventId, SpeakerId[]>()
  for (const { event_id, speaker_id } of rows) speakers.set(event_id, [...(speakers.get(event_id) ?? []), speaker_id])
  return speakers
}

/** Replaces the speakers of an event. */
export const replaceSpeakers = (db: Db, event: EventId, speakers: readonly SpeakerId[]): Promise<void> =>
  replaceAllSpeakers(db, new Map([[event, speakers]]))

/** Replaces the speakers of events. */
export async function replaceAllSpeakers(
  db: Db,
  speakersOf: ReadonlyMap<EventId, readonly SpeakerId[]>,
): Promise<void> {
  await inChunks([...speakersOf.keys()], (ids) => db.deleteFrom('event_speaker').where('event_id', 'in', ids).execute())
  const rows = [...speakersOf].flatMap(([event_id, speakers]) =>
    [...new Set(speakers)].map((speaker_id, sort) => ({ event_id, speaker_id, sort })),
  )
  for (const some of insertChunks(rows)) await db.insertInto('event_speaker').values(some).execute()
}

/** Creates the reader of an exported list: the records after an id. */
export const recordsAfter =
  <K extends ProgramRecordKind>(kind: K) =>
  async (db: Db, columns: readonly (keyof Row<K> & string)[], after: number, limit: number) => {
    const rows = db.selectFrom(kind as 'room').select(columns as unknown as (keyof Row<'room'>)[])
    return rows
      .where('id', '>', after as RoomId)
      .orderBy('id')
      .limit(limit)
      .execute()
  }

/** Excludes speakers of deleted events. */
export const eventSpeakersAfter = (
  db: Db,
  columns: readonly (keyof Row<'event_speaker'>)[],
  after: number,
  limit: number,
) =>
  db
    .selectFrom('event_speaker')
    .innerJoin('event', 'event.id', 'event_speaker.event_id')
    .select(columns.map((column) => `event_speaker.${column}` as const))
    .where('event.is_deleted', '=', 0)
    .where('event_speaker.id', '>', after)
    .orderBy('event_speaker.id')
    .limit(limit)
    .execute()
