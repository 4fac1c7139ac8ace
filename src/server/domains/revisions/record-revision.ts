import type { revisionKinds } from '../../../contract/revisions.ts'
import { createPause } from '../../core/in-turns.ts'
import type { WriteScope } from '../../scope.ts'
import type { Db } from '../../storage/db/tables.ts'
import { countEvents } from '../program/events.ts'
import { findEventsWith } from '../program/records.ts'
import { findPublicEvents } from '../program/schedule.ts'
import { type Note, noteChanges, shortenNotes } from './release-notes.ts'
import { loadStates, type RecordStates, type RevisedKind } from './states.ts'
import { insertRecords, insertRevision, listRevisions } from './store.ts'

export type RevisionKind = (typeof revisionKinds)[number]

/** A revision as it is listed later. */
export interface NewRevision {
  kind: RevisionKind
  /** The command as typed, such as `import program`, or the name of the operation. */
  command: string
  /** The name of the file or folder of an import. */
  file?: string
  /** What the organizer says about it. */
  note?: string
  /** The revision that it undoes. */
  undoes?: number
}

/** A write of a revision, to one record. */
export interface RecordWrite {
  kind: RevisedKind
  /** The stored record; undefined if the write creates one. */
  id: number | undefined
  /** @returns the id of the record */
  write(): Promise<number>
}

interface RecordingOptions {
  /** Called after each write. */
  onProgress?: (done: number, all: number) => void
  /** Of a revision in several transactions, after the first of them. */
  revisionId?: number | undefined
}

/**
 * Runs writes and records what they change, in the transaction of `scope`.
 * @returns the id of the revision; undefined if nothing was changed
 */
export async function recordRevision(
  scope: WriteScope,
  revision: NewRevision,
  writes: readonly RecordWrite[],
  { onProgress, revisionId }: RecordingOptions = {},
): Promise<number | undefined> {
  const targets = writes.flatMap(({ kind, id }) => (id === undefined ? [] : { kind, id }))
  return recordChanges(scope, revision, targets, revisionId, async () => {
    const written: RecordId[] = []
    const pause = createPause()
    for (const { kind, write } of writes) {
      written.push({ kind, id: await write() })
      onProgress?.(written.length, writes.length)
      await pause()
    }
    return written
  })
}

/**
 * Finds a revision to which its maker adds: the newest of all, so that nobody has seen another one of what it changes.
 * @returns its id; undefined if it is not the newest, is of another kind or of participants, or is somebody else's
 */
export async function findToContinue(
  { db, principal }: WriteScope,
  id: number,
  { kind, command }: NewRevision,
): Promise<number | undefined> {
  const [newest] = await listRevisions(db, { offset: 0, limit: 1 })
  if (newest?.id !== id || newest.kind !== kind || newest.command !== command) return undefined
  const isOwn = newest.organizer_id === principal.organizer
  // A command, whose organizer is unknown like that of a key, may have changed participants.
  return isOwn && newest.undone_at === 0 && newest.participants === 0 ? id : undefined
}

export interface RecordId {
  kind: RevisedKind
  id: number
}

/** A record with its state, if that has been loaded. */
interface Target extends RecordId {
  state?: string
}

/**
 * Runs one write of many records and records what it changes.
 * @param targets the stored records that it may change
 * @param write returns the records that it has changed or created; those that it has deleted may be among them
 */
export async function recordChanges(
  scope: WriteScope,
  { kind, command, file = '', note = '', undoes = 0 }: NewRevision,
  targets: readonly Target[],
  revisionId: number | undefined,
  write: () => Promise<readonly RecordId[]>,
): Promise<number | undefined> {
  // Loads only the records that are written, as other writes wait meanwhile, and a summit may have thousands.
  const before = await loadAll(scope.db, targets)
  const written = await write()
  const after = await loadAll(
    scope.db,
    written.map(({ kind, id }) => ({ kind, id })),
  )
  const records = [...Map.groupBy(written, (record) => record.kind)].flatMap(([kind, ofKind]) =>
    [...new Set(ofKind.map(({ id }) => id))].map((record_id) => ({
      kind,
      record_id,
      before: before.get(kind)?.get(record_id) ?? '',
      after: after.get(kind)?.get(record_id) ?? '',
    })),
  )
  const changed = records.filter((record) => record.before !== record.after)
  if (changed.length === 0) return revisionId
  const pause = createPause()
  const notes: Note[] = []
  for (const some of inBatches(changed)) {
    notes.push(...noteChanges(some))
    await pause()
  }
  const { organizer: organizer_id } = scope.principal
  const revision_id =
    revisionId ??
    (await insertRevision(scope.db, {
      ...{ at: scope.now, kind, command, file, note, undoes, organizer_id },
      notes: JSON.stringify(shortenNotes(await withoutUnseen(scope.db, notes), await countEvents(scope.db))),
    }))
  for (const some of inBatches(changed)) {
    await insertRecords(
      scope.db,
      some.map((record) => ({ revision_id, ...record })),
    )
    await pause()
  }
  return revision_id
}

/** Without the names of rooms and tracks that no published event is in: those who see the room later never saw them. */
async function withoutUnseen(db: Db, notes: readonly Note[]): Promise<readonly Note[]> {
  const rooms = await findSeen(
    db,
    'room',
    notes.flatMap((note) => ('room' in note ? note.room : [])),
  )
  const tracks = await findSeen(
    db,
    'track',
    notes.flatMap((note) => ('track' in note ? note.track : [])),
  )
  return notes.filter(
    (note) => !('room' in note && !rooms.has(note.room)) && !('track' in note && !tracks.has(note.track)),
  )
}

async function findSeen(db: Db, kind: 'room' | 'track', ids: readonly number[]): Promise<Set<number>> {
  const uses = await findEventsWith(db, kind, ids)
  const published = await findPublicEvents(
    db,
    uses.map(({ event }) => event),
  )
  return new Set(uses.flatMap(({ id, event }) => (published.has(event) ? id : [])))
}

/** The states of records, by kind and id. */
async function loadAll(db: Db, records: readonly Target[]): Promise<Map<RevisedKind, RecordStates>> {
  const states = new Map<RevisedKind, RecordStates>()
  const pause = createPause()
  for (const [kind, ofKind] of Map.groupBy(records, (record) => record.kind)) {
    const loaded: RecordStates = new Map()
    for (const some of inBatches(ofKind)) {
      for (const { id, state } of some) if (state !== undefined) loaded.set(id, state)
      const others = some.flatMap(({ id, state }) => (state === undefined ? [id] : []))
      for (const [id, state] of await loadStates(db, kind, others)) loaded.set(id, state)
      await pause()
    }
    states.set(kind, loaded)
  }
  return states
}

/** Records that are read or written at once: an import has thousands, between which others are served. */
const batchSize = 100

function* inBatches<R>(records: readonly R[]): Generator<R[]> {
  for (let start = 0; start < records.length; start += batchSize) yield records.slice(start, start + batchSize)
}
