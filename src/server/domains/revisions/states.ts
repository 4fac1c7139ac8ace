import type { EventId, ParticipantId } from '../../core/ids.ts'
import type { WriteScope } from '../../scope.ts'
import type { Db } from '../../storage/db/tables.ts'
import { compareParticipant, loginDifference } from '../participants/participant-differences.ts'
import {
  loadParticipants,
  participantImageKeys,
  removeParticipants,
  restoreParticipant,
  type StoredParticipant,
} from '../participants/stored-participants.ts'
import { compareEvent } from '../program/event-differences.ts'
import { isSpeakerPhoto } from '../program/pictures.ts'
import { describeRecordChanges } from '../program/record-differences.ts'
import {
  findRecords,
  type ProgramRecord,
  type ProgramRecordKind,
  removeRecord,
  restoreRecord as restoreProgramRecord,
} from '../program/records.ts'
import {
  eventImageKeys,
  loadEvents,
  removeEvent,
  restoreEvent,
  type ShownEvent,
  type StoredEvent,
  showEvents,
} from '../program/stored-events.ts'

/** A record of the conference, a room, track or speaker. */
interface StoredProgramRecord<K extends ProgramRecordKind> {
  row: ProgramRecord<K> & { id: number }
}

interface StoredRecords {
  event: StoredEvent
  participant: StoredParticipant
  conference: StoredProgramRecord<'conference'>
  room: StoredProgramRecord<'room'>
  track: StoredProgramRecord<'track'>
  speaker: StoredProgramRecord<'speaker'>
}

/** The kinds of records that revisions change. */
export type RevisedKind = keyof StoredRecords

/** A record at two times. */
interface Change<R> {
  from: R
  to: R
}

/** What a revision and its undo do with the records of a kind. */
interface KindOfRecord<R> {
  load(db: Db, ids: readonly number[]): Promise<(R & { row: { id: number } })[]>
  /** Writes a record back as it was. */
  restore(scope: WriteScope, record: R): Promise<void>
  /** Deletes records for good; participants except for the responses stored for them. */
  remove(scope: WriteScope, records: readonly R[]): Promise<void>
  /** The keys of the images of a record. */
  imageKeys(record: R): string[]
  /** Describes a record for organizers. */
  describe(record: R): string
  /** The differences of each record, in the organizer's words. */
  compare(db: Db, changes: readonly Change<R>[]): Promise<string[][]>
}

const one = <R>(remove: (scope: WriteScope, record: R) => Promise<void>) => {
  return async (scope: WriteScope, records: readonly R[]) => {
    for (const record of records) await remove(scope, record)
  }
}

const programRecord = <K extends ProgramRecordKind>(
  kind: K,
  describe: (row: ProgramRecord<K>) => string,
  imageKeys: (row: ProgramRecord<K>) => string[] = () => [],
): KindOfRecord<StoredProgramRecord<K>> => ({
  load: async (db, ids) =>
    (await findRecords(db, kind, ids)).map((row) => ({ row: row as typeof row & { id: number } })),
  restore: (scope, { row }) => restoreProgramRecord(scope, kind, row),
  remove: one((scope, { row }) => removeRecord(scope, kind, row.id)),
  imageKeys: ({ row }) => imageKeys(row),
  describe: ({ row }) => describe(row),
  compare: async (_, changes) =>
    changes.map(({ from, to }) => {
      const [before, after] = [from.row, to.row] as unknown as Record<string, unknown>[]
      const columns = Object.keys(to.row).filter((column) => before?.[column] !== after?.[column])
      return describeRecordChanges(before ?? {}, after ?? {}, columns)
    }),
})

/** In the order in which an undo takes them: what refers to others comes first. */
const kinds: { [K in RevisedKind]: KindOfRecord<StoredRecords[K]> } = {
  event: {
    load: (db, ids) => loadEvents(db, ids as readonly EventId[]),
    restore: restoreEvent,
    remove: one(removeEvent),
    imageKeys: eventImageKeys,
    describe: ({ row }) => `session ${row.id} “${row.title}”`,
    compare: async (db, changes) => {
      const from = await showEvents(
        db,
        changes.map((change) => change.from),
      )
      const to = await showEvents(
        db,
        changes.map((change) => change.to),
      )
      return changes.map(({ to: { row } }) => compareShownEvents(from.get(row.id), to.get(row.id)))
    },
  },
  participant: {
    load: (db, ids) => loadParticipants(db, ids as readonly ParticipantId[]),
    restore: restoreParticipant,
    remove: (scope, records) =>
      removeParticipants(
        scope,
        records.map(({ row }) => row.id),
      ),
    imageKeys: participantImageKeys,
    describe: ({ row }) => `participant ${row.id} ${row.first_name} ${row.last_name}`.trimEnd(),
    compare: async (_, changes) =>
      changes.map(({ from, to }) => {
        const differences = compareParticipant(to.row, from.row)
        return from.login === to.login ? differences : [...differences, loginDifference]
      }),
  },
  speaker: programRecord(
    'speaker',
    ({ id, name }) => `speaker ${id} “${name}”`,
    ({ photo }) => (isSpeakerPhoto(photo) ? [photo] : []),
  ),
  track: programRecord('track', ({ id, name }) => `track ${id} “${name}”`),
  room: programRecord('room', ({ id, name }) => `room ${id} “${name}”`),
  conference: programRecord(
    'conference',
    () => 'the settings of the conference',
    ({ logo }) => (logo === '' ? [] : [logo]),
  ),
}

function compareShownEvents(from: ShownEvent | undefined, to: ShownEvent | undefined): string[] {
  if (!from || !to) return []
  const others = [
    ...(['banner', 'photo'] as const).filter((field) => to[field] !== from[field]),
    ...(to.source_key === from.source_key ? [] : ['id']),
    ...(to.track_id === from.track_id ? [] : ['track']),
    ...(to.draft === from.draft ? [] : ['draft']),
    ...(to.is_deleted === from.is_deleted ? [] : [to.is_deleted === 1 ? 'not published' : 'published']),
  ]
  const { change, differences } = compareEvent(to, from, others)
  return change === 'cancelled' ? ['cancelled', ...differences] : differences
}

export const revisedKinds = Object.keys(kinds) as RevisedKind[]

/** Of states, whose kind is known only as the program runs. */
const kindOf = (kind: RevisedKind) => kinds[kind] as KindOfRecord<unknown>

/** Records by id, each as one line of JSON. */
export type RecordStates = Map<number, string>

export async function loadStates(db: Db, kind: RevisedKind, ids: readonly number[]): Promise<RecordStates> {
  const records = await kindOf(kind).load(db, ids)
  return new Map(records.map((record) => [record.row.id, toState(record)]))
}

/** A record as one line of JSON. Its members are sorted, because engines differ in the order of columns. */
export const toState = (record: object): string => JSON.stringify(sortMembers(record))

// A replacer of `JSON.stringify`, called for each value, takes several times as long.
function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers)
  if (!(value instanceof Object)) return value
  const members = Object.entries(value).map(([name, member]): [string, unknown] => [name, sortMembers(member)])
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Writes a record back as it was. */
export const restoreRecord = (scope: WriteScope, kind: RevisedKind, state: string): Promise<void> =>
  kindOf(kind).restore(scope, JSON.parse(state))

/** Deletes records for good. */
export const removeRecords = (scope: WriteScope, kind: RevisedKind, states: readonly string[]): Promise<void> =>
  kindOf(kind).remove(
    scope,
    states.map((state) => JSON.parse(state)),
  )

/** A state as a record; undefined if it is damaged, which must not prevent the undo of others, or their erasure. */
export function readState<R extends { row: object }>(state: string): R | undefined {
  try {
    const record = JSON.parse(state) as R | null
    return record?.row instanceof Object ? record : undefined
  } catch {
    return undefined
  }
}

/** The keys of a record's images. */
export function imageKeys(kind: RevisedKind, state: string): string[] {
  const record = readState(state)
  return record ? kindOf(kind).imageKeys(record) : []
}

/** The folders of images in the blob store. */
const imageFolders: Readonly<Record<string, RevisedKind>> = {
  program: 'event',
  participants: 'participant',
  speakers: 'speaker',
  conference: 'conference',
}

/** The record that an image belongs to, by its key; undefined for keys of other files. */
export function recordOfImage(key: string): { kind: RevisedKind; id: number } | undefined {
  const [, folder = '', id] = /^(\w+)\/(\d{1,15})\//.exec(key) ?? []
  const kind = Object.hasOwn(imageFolders, folder) ? imageFolders[folder] : undefined
  return kind && { kind, id: Number(id) }
}

/** Describes a record for organizers. */
export const describeRecord = (kind: RevisedKind, state: string): string => kindOf(kind).describe(JSON.parse(state))

/** The differences of records of one kind between two states each, in the organizer's words. */
export const compareStates = (
  db: Db,
  kind: RevisedKind,
  changes: readonly { from: string; to: string }[],
): Promise<string[][]> =>
  kindOf(kind).compare(
    db,
    changes.map(({ from, to }) => ({ from: JSON.parse(from), to: JSON.parse(to) })),
  )
