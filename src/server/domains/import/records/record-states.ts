import type { EventId, ParticipantId } from '../../../core/ids.ts'
import type { WriteScope } from '../../../scope.ts'
import type { Db } from '../../../storage/db/tables.ts'
import {
  loadParticipants,
  participantImageKeys,
  removeParticipants,
  restoreParticipant,
  type StoredParticipant,
} from '../../participants/stored-participants.ts'
import { eventImageKeys, loadEvents, removeEvent, restoreEvent, type StoredEvent } from '../../program/stored-events.ts'

/** The kinds of records that an import writes. */
export const importedKinds = ['event', 'participant'] as const

export type ImportedKind = (typeof importedKinds)[number]

/** Records by id, each as one line of JSON. */
export type RecordStates = Map<number, string>

export async function loadStates(db: Db, kind: ImportedKind, ids: readonly number[]): Promise<RecordStates> {
  const records =
    kind === 'event'
      ? await loadEvents(db, ids as readonly EventId[])
      : await loadParticipants(db, ids as readonly ParticipantId[])
  return new Map(records.map((record) => [record.row.id, serialize(record)]))
}

/** Sorts the members, because engines differ in the order of columns. */
const serialize = (record: object): string =>
  JSON.stringify(record, (_, value: unknown) =>
    value instanceof Object && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )

/** Writes a record back as it was. */
export const restoreRecord = (scope: WriteScope, kind: ImportedKind, state: string): Promise<void> =>
  kind === 'event'
    ? restoreEvent(scope, JSON.parse(state) as StoredEvent)
    : restoreParticipant(scope, JSON.parse(state) as StoredParticipant)

/** Deletes sessions for good. */
export async function removeEvents(scope: WriteScope, states: readonly string[]): Promise<void> {
  for (const state of states) await removeEvent(scope, JSON.parse(state) as StoredEvent)
}

/** Deletes participants for good, except for the responses stored for them. @returns their ids */
export async function removePeople(scope: WriteScope, states: readonly string[]): Promise<ParticipantId[]> {
  const ids = states.map((state) => (JSON.parse(state) as StoredParticipant).row.id)
  await removeParticipants(scope, ids)
  return ids
}

/** The keys of a record's images. */
export const imageKeys = (kind: ImportedKind, state: string): string[] =>
  kind === 'event'
    ? eventImageKeys(JSON.parse(state) as StoredEvent)
    : participantImageKeys(JSON.parse(state) as StoredParticipant)

/** The record that an image belongs to, by its key; undefined for keys of other files. */
export function recordOfImage(key: string): { kind: ImportedKind; id: number } | undefined {
  const [, folder, id] = /^(program|participants)\/(\d{1,15})\//.exec(key) ?? []
  return folder === undefined ? undefined : { kind: folder === 'program' ? 'event' : 'participant', id: Number(id) }
}

/** Describes a record for the operator. */
export function describeRecord(kind: ImportedKind, state: string): string {
  const { row } = JSON.parse(state) as StoredEvent | StoredParticipant
  if (kind === 'event' && 'title' in row) return `session ${row.id} “${row.title}”`
  return `participant ${row.id}${'first_name' in row ? ` ${row.first_name} ${row.last_name}`.trimEnd() : ''}`
}
