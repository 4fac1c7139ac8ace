import type { Data } from '../../../contract/index.ts'
import { bodyField, Failure, invalidField } from '../../core/failure.ts'
import { formatCount } from '../../core/format-count.ts'
import type { EventId } from '../../core/ids.ts'
import type { HandlerInput } from '../../operation.ts'
import type { WriteScope } from '../../scope.ts'
import { findDraftsWith } from '../program/drafts.ts'
import { applyChanges } from '../program/events.ts'
import {
  addRecord,
  findEventsWith,
  listRecords,
  type NewProgramRecord,
  type ProgramRecordValues,
  removeRecord,
  updateRecord,
} from '../program/records.ts'
import { loadEvents } from '../program/stored-events.ts'
import { type RecordWrite, recordRevision } from '../revisions/record-revision.ts'
import { readRooms, readTracks } from './draft.ts'
import { assertSeen } from './seen.ts'

// Rooms and tracks are saved as whole lists, so that their order is one change.

/** @throws Failure EVENT_CHANGED, ROOM_NOT_FOUND, IN_USE; VALIDATION_FAILED for a room that is named twice */
export async function setRooms(
  scope: WriteScope,
  { revision, rooms }: HandlerInput<'setRooms'>,
): Promise<Data<'setRooms'>> {
  const read = async () => ({ rooms: await readRooms(scope) })
  await assertSeen(scope, 'room', undefined, revision, read)
  const buildings = new Map((await listRecords(scope.db, 'room')).map(({ id, building }) => [Number(id), building]))
  const entries = rooms.map(({ id, building, ...values }) => {
    // Without one, the room is all that is said of the place; a stored room may also be in a building without a name.
    const isSame = id !== undefined && building === (buildings.get(id) ?? '')
    return { id, values: { ...values, ...(building !== undefined && !isSame && { building: building || null }) } }
  })
  await saveList(scope, 'room', entries)
  return read()
}

/** @throws Failure EVENT_CHANGED, TRACK_NOT_FOUND, IN_USE; VALIDATION_FAILED for a track that is named twice */
export async function setTracks(
  scope: WriteScope,
  { revision, tracks }: HandlerInput<'setTracks'>,
): Promise<Data<'setTracks'>> {
  const read = async () => ({ tracks: await readTracks(scope) })
  await assertSeen(scope, 'track', undefined, revision, read)
  const entries = tracks.map(({ id, color, ...values }) => ({
    id,
    values: { ...values, ...(color !== undefined && { color: color.toLowerCase() }) },
  }))
  await saveList(scope, 'track', entries)
  return read()
}

type Listed = 'room' | 'track'

const lists = {
  room: { member: 'rooms', command: 'setRooms', missing: 'ROOM_NOT_FOUND', cleared: { room_id: null } },
  track: { member: 'tracks', command: 'setTracks', missing: 'TRACK_NOT_FOUND', cleared: { track_id: null } },
} as const

interface Entry<K extends Listed> {
  /** Undefined for a new one. */
  id: number | undefined
  values: ProgramRecordValues<K>
}

async function saveList<K extends Listed>(scope: WriteScope, kind: K, entries: readonly Entry<K>[]): Promise<void> {
  const rows: readonly { id: number; name: string }[] = await listRecords<Listed>(scope.db, kind)
  const stored = new Map(rows.map((row) => [row.id, row]))
  assertListed(kind, entries, stored)
  const listed = new Set(entries.map(({ id }) => id))
  const leftOut = rows.filter(({ id }) => !listed.has(id))
  const writes = entries.flatMap(({ id, values }, sort) => writeOf(scope, kind, id, { ...values, sort }, stored))
  const removals = await planRemovals(scope, kind, leftOut)
  await recordRevision(scope, { kind: 'edit', command: lists[kind].command }, [...writes, ...removals])
}

/** @throws Failure ROOM_NOT_FOUND, TRACK_NOT_FOUND, VALIDATION_FAILED */
function assertListed<K extends Listed>(
  kind: K,
  entries: readonly Entry<K>[],
  stored: ReadonlyMap<number, unknown>,
): void {
  const { member, missing } = lists[kind]
  const ids = entries.map(({ id }) => id)
  for (const [at, id] of ids.entries()) {
    if (id === undefined) continue
    if (!stored.has(id)) throw new Failure(missing)
    if (ids.indexOf(id) < at) {
      const field = `${member}[${at}].id`
      throw invalidField(field, 'REPEATED', `${field} must not be that of another entry.`)
    }
  }
}

/** The write of an entry, if it changes anything. */
function writeOf<K extends Listed>(
  scope: WriteScope,
  kind: K,
  id: number | undefined,
  values: ProgramRecordValues<K>,
  stored: ReadonlyMap<number, object>,
): RecordWrite[] {
  if (id === undefined)
    return [{ kind, id, write: () => addRecord(scope, kind, { ...emptyRoom(kind), ...values } as NewProgramRecord<K>) }]
  const row: Readonly<Record<string, unknown>> = { ...stored.get(id) }
  if (Object.entries(values).every(([column, value]) => row[column] === value)) return []
  const write = async () => {
    await updateRecord(scope, kind, id, values)
    return id
  }
  return [{ kind, id, write }]
}

/** The columns without a default. */
const emptyRoom = (kind: Listed) => (kind === 'room' ? { building: null } : {})

/**
 * The writes that remove these records, after those that clear them in events that were deleted: these would return
 * without them.
 * @throws Failure IN_USE with each that an event is in, or will be once its draft is published
 */
async function planRemovals(
  scope: WriteScope,
  kind: Listed,
  leftOut: readonly { id: number; name: string }[],
): Promise<RecordWrite[]> {
  const { db } = scope
  const ids = leftOut.map(({ id }) => id)
  const references = await findEventsWith(db, kind, ids)
  const events = await loadEvents(
    db,
    references.map(({ event }) => event),
  )
  const deleted = new Set(events.filter(({ row }) => row.deleted_at !== 0).map(({ row }) => row.id))
  assertUnused(kind, leftOut, [
    ...references.filter(({ event }) => !deleted.has(event)),
    ...(await findDraftsWith(db, kind, ids)),
  ])
  const clearings = [...deleted].map((id): RecordWrite => {
    const write = async () => {
      await applyChanges(scope, id, lists[kind].cleared)
      return id
    }
    return { kind: 'event', id, write }
  })
  const removals = ids.map((id): RecordWrite => {
    const write = async () => {
      await removeRecord(scope, kind, id)
      return id
    }
    return { kind, id, write }
  })
  return [...clearings, ...removals]
}

/** @throws Failure IN_USE */
function assertUnused(
  kind: Listed,
  leftOut: readonly { id: number; name: string }[],
  uses: readonly { id: number; event: EventId }[],
): void {
  const { member } = lists[kind]
  const fields = leftOut.flatMap(({ id, name }) => {
    const sessions = new Set(uses.filter((use) => use.id === id).map(({ event }) => event))
    if (sessions.size === 0) return []
    const message = `${member} must contain ${kind} ${id} “${name}”, in use by ${formatCount(sessions.size, 'session')}.`
    return [bodyField(member, 'REQUIRED', message)]
  })
  if (fields.length > 0) throw new Failure('IN_USE', { fields })
}
