import { randomUUID } from 'node:crypto'
import type { EventId, RoomId, SpeakerId } from '../../core/ids.ts'
import { appendChange } from '../../log/changes/log.ts'
import type { WriteScope } from '../../scope.ts'
import type { Db, NewRow } from '../../storage/db/tables.ts'
import { type PlaceTexts, type Projection, projectPlace, projectSpeakers, type SpeakerTexts } from './projection.ts'
import {
  changeRecord,
  deleteRecord,
  findEventsWith,
  findPeople,
  findPlace,
  findRecords,
  findRoomsOf,
  findSpeakersOf,
  insertRecord,
  type ProgramRecord,
  type ProgramRecordKind,
  type ProgramRecordValues,
} from './record-store.ts'
import { changeEvent, raiseSequences } from './store.ts'

// The conference, rooms, tracks and speakers. Events show the texts of their room and speakers, which follow any change.

export {
  countSpeakers,
  findEventsWith,
  findRecords,
  listRecords,
  type ProgramRecord,
  type ProgramRecordKind,
  type ProgramRecordValues,
} from './record-store.ts'

/** The values of a new record. */
export type NewProgramRecord<K extends ProgramRecordKind> = Omit<NewRow<K>, 'id' | 'created_at'>

const changeKind = (kind: ProgramRecordKind, change: 'created' | 'deleted') =>
  kind === 'conference' ? 'conference.updated' : (`${kind}.${change}` as const)

/** There is one conference. */
const conferenceId = 1

/** Without a `guid`, a room or speaker gets a random one. */
export async function addRecord<K extends ProgramRecordKind>(
  scope: WriteScope,
  kind: K,
  values: NewProgramRecord<K>,
): Promise<number> {
  const { guid }: { guid?: string } = values
  const given = {
    ...values,
    ...((kind === 'room' || kind === 'speaker') && { guid: guid || randomUUID() }),
    ...(kind === 'conference' && { id: conferenceId }),
    created_at: scope.now,
  }
  const record = await insertRecord(scope.db, kind, given as unknown as NewRow<K>)
  await appendChange(scope, { kind: changeKind(kind, 'created'), record })
  return record
}

export async function updateRecord<K extends ProgramRecordKind>(
  scope: WriteScope,
  kind: K,
  id: number,
  values: ProgramRecordValues<K>,
): Promise<void> {
  await changeValues(scope, kind, id, { ...values, modified_at: scope.now })
}

/** Writes a record back as it was, `modified_at` included; one that was removed returns. */
export async function restoreRecord<K extends ProgramRecordKind>(
  scope: WriteScope,
  kind: K,
  row: ProgramRecord<K> & { id: number },
): Promise<void> {
  const { id, ...values } = row
  const [current] = await findRecords(scope.db, kind, [id])
  if (current) return changeValues(scope, kind, id, values as unknown as ProgramRecordValues<K>)
  await insertRecord(scope.db, kind, row as unknown as NewRow<K>)
  await appendChange(scope, { kind: changeKind(kind, 'created'), record: id })
}

async function changeValues<K extends ProgramRecordKind>(
  scope: WriteScope,
  kind: K,
  id: number,
  values: ProgramRecordValues<K>,
): Promise<void> {
  const isShown = kind !== 'conference' && (await changesTexts(scope.db, kind, id, values))
  await changeRecord(scope.db, kind, id, values)
  if (isShown) {
    const events = (await findEventsWith(scope.db, kind, [id])).map(({ event }) => event)
    if (kind === 'track') await raiseSequences(scope.db, events)
    else await projectInto(scope.db, events)
  }
  await appendChange(scope, { kind: `${kind}.updated`, record: id })
}

/** The columns that are shown with events. */
const shownColumns = {
  room: ['name', 'building', 'address'],
  track: ['name'],
  speaker: ['name', 'position', 'company'],
} as const

/** Whether these values change what is shown with events: a capacity or a biography does not. */
async function changesTexts(db: Db, kind: keyof typeof shownColumns, id: number, values: object): Promise<boolean> {
  const [before] = await findRecords(db, kind, [id])
  const [old, given] = [before, values] as Readonly<Record<string, unknown>>[]
  return shownColumns[kind].some((column) => given?.[column] !== undefined && given[column] !== old?.[column])
}

/** Deletes a record for good. No event may refer to it. */
export async function removeRecord(scope: WriteScope, kind: ProgramRecordKind, id: number): Promise<void> {
  await deleteRecord(scope.db, kind, id)
  await appendChange(scope, { kind: changeKind(kind, 'deleted'), record: id })
}

/** Shows the rooms and speakers of events as they are now. */
async function projectInto(db: Db, events: readonly EventId[]): Promise<void> {
  const speakersOf = await findSpeakersOf(db, events)
  const referring = (await findRoomsOf(db, events)).map(([id, room_id]) => ({
    ...{ id, room_id },
    speakers: speakersOf.get(id) ?? [],
  }))
  const show = await createProjector(db, referring)
  for (const event of referring) await changeEvent(db, event.id, show(event))
}

/** What the texts of an event follow from. */
interface Referring {
  room_id: RoomId | null
  speakers: readonly SpeakerId[]
}

/** Loads the rooms and speakers of events. @returns a function that shows them */
export async function createProjector(db: Db, events: readonly Referring[]): Promise<(event: Referring) => Projection> {
  const byId = <R extends { id: number }>(rows: readonly R[]) => new Map(rows.map((row) => [row.id, row]))
  const rooms = byId(await findRecords(db, 'room', [...new Set(events.flatMap(({ room_id }) => room_id ?? []))]))
  const people = byId(await findRecords(db, 'speaker', [...new Set(events.flatMap(({ speakers }) => speakers))]))
  return ({ room_id, speakers }) => ({
    ...projectPlace(room_id === null ? undefined : rooms.get(room_id)),
    ...projectSpeakers(speakers.flatMap((id) => people.get(id) ?? [])),
  })
}

/** The texts of the room of an event. */
export const showPlace = async (db: Db, room: RoomId | null): Promise<PlaceTexts> =>
  projectPlace(room === null ? undefined : await findPlace(db, room))

/** The texts of the speakers of an event. */
export const showSpeakers = async (db: Db, speakers: readonly SpeakerId[]): Promise<SpeakerTexts> =>
  projectSpeakers(await findPeople(db, speakers))
