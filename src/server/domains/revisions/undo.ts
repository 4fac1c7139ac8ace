import { maxFailedFields } from '../../../contract/failures.ts'
import type { undoChanges } from '../../../contract/revisions.ts'
import { bodyField, Failure } from '../../core/failure.ts'
import type { EventId, ParticipantId } from '../../core/ids.ts'
import type { WriteScope } from '../../scope.ts'
import type { Db } from '../../storage/db/tables.ts'
import { findEventsWithFeedback } from '../feedback/feedback.ts'
import { findWriters } from '../participants/stored-participants.ts'
import { findDraftsWith, readPatch } from '../program/drafts.ts'
import { findEventsWith } from '../program/records.ts'
import { findSameIdentity, type StoredEvent } from '../program/stored-events.ts'
import { findEventsWithStars } from '../stars/stars.ts'
import { type NewRevision, recordChanges } from './record-revision.ts'
import {
  compareStates,
  describeRecord,
  imageKeys,
  loadStates,
  type RevisedKind,
  readState,
  removeRecords,
  restoreRecord,
  revisedKinds,
} from './states.ts'
import {
  findNewestRevisions,
  findRevision,
  finishUndo,
  listEventChangesAfter,
  listRecords,
  type RevisionRecord,
} from './store.ts'

/** The effect of undoing a revision on one record. */
export interface PlannedUndo {
  /** `returned` if the revision had removed the record. */
  change: (typeof undoChanges)[number]
  /** The record, for display. */
  text: string
  /** The fields that get their former values, as in the plan of an import. */
  differences: string[]
  /**
   * The reason why the record is blocked: it was changed since the revision, or others refer to it. A room, track or speaker
   * just stays while sessions refer to it.
   */
  reason?: string
  kind: RevisedKind
  id: number
  /** As it is now. */
  now: string
  /** As it was; `''` if the revision created it. */
  before: string
}

/**
 * Plans to undo a revision. A record that was changed since the revision, or that others refer to, is blocked.
 * @throws Failure REVISION_NOT_FOUND, also if it has been undone
 */
export async function planUndo(db: Db, revisionId: number): Promise<PlannedUndo[]> {
  const revision = await findRevision(db, revisionId)
  if (revision?.undone_at !== 0) throw new Failure('REVISION_NOT_FOUND')
  const byKind = Map.groupBy(foldRecords(await listRecords(db, revisionId)), ({ kind }) => kind as RevisedKind)
  const plans: PlannedUndo[] = []
  for (const kind of revisedKinds) plans.push(...(await planKind(db, revisionId, kind, byKind.get(kind) ?? [], plans)))
  return plans
}

/**
 * Merges the entries of each record, from its first state to its last: a revision may change a record more than once, as
 * by its banner and its photo.
 */
function foldRecords(records: readonly RevisionRecord[]): RevisionRecord[] {
  const folded = new Map<string, RevisionRecord>()
  for (const record of records) {
    const key = `${record.kind} ${record.record_id}`
    folded.set(key, { ...record, before: folded.get(key)?.before ?? record.before })
  }
  return [...folded.values()]
}

async function planKind(
  db: Db,
  revisionId: number,
  kind: RevisedKind,
  records: readonly RevisionRecord[],
  plans: readonly PlannedUndo[],
): Promise<PlannedUndo[]> {
  if (records.length === 0) return []
  const ids = records.map(({ record_id }) => record_id)
  const now = await loadStates(db, kind, ids)
  const created = records.filter(({ before }) => before === '').map(({ record_id }) => record_id)
  const references = new Map(await findReferences(db, kind, created))
  const newest = await findNewestRevisions(db, kind, ids)
  const sessions = await findSessions(db, revisionId, kind, created, plans)
  const others = kind === 'event' ? await findOthersLike(db, records) : new Map<EventId, EventId>()
  const whyBlocked = ({ record_id, after }: RevisionRecord, state: string | undefined): string | undefined => {
    const other = others.get(record_id as EventId)
    if (other !== undefined) return `session ${other} has its id`
    if (state === undefined || references.has(record_id)) return references.get(record_id)
    if (state === after) return undefined
    const later = newest.get(record_id) ?? 0
    return later > revisionId
      ? `changed by revision ${later}; undo that one first`
      : 'changed by a client or another command'
  }
  const planned = records.map((record): PlannedUndo => {
    const { record_id, before, after } = record
    const state = now.get(record_id)
    const text = describeRecord(kind, state ?? (after || before))
    const planned = { kind, id: record_id, now: state ?? '', before, text, differences: [] }
    if (state === undefined && (after !== '' || before === '')) return { ...planned, change: 'gone' }
    const reason = whyBlocked(record, state)
    if (reason !== undefined) return { ...planned, change: 'blocked', reason }
    const session = sessions.get(record_id)
    if (session !== undefined) return { ...planned, change: 'stays', reason: `session ${session} refers to it` }
    return { ...planned, change: state === undefined ? 'returned' : before === '' ? 'removed' : 'restored' }
  })
  const restored = planned.filter(({ change }) => change === 'restored')
  const changes = restored.map((undo) => ({ from: undo.now, to: undo.before }))
  const differences = await compareStates(db, kind, changes)
  restored.forEach((undo, at) => {
    undo.differences = differences[at] ?? []
  })
  return planned
}

/** The records among these that clients refer to, with the reason. @param ids of records that the revision created */
async function findReferences(db: Db, kind: RevisedKind, ids: number[]): Promise<[number, string][]> {
  if (kind === 'event')
    return [
      ...because('it has stars', await findEventsWithStars(db, ids)),
      ...because('it has feedback', await findEventsWithFeedback(db, ids)),
    ]
  if (kind !== 'participant') return []
  return because('they have written or starred something', await findWriters(db, ids as ParticipantId[]))
}

/** The events that have what identifies an event to be restored, as they were imported since. */
async function findOthersLike(db: Db, records: readonly RevisionRecord[]): Promise<Map<EventId, EventId>> {
  const restored = records.flatMap(({ before }) => readState<StoredEvent>(before)?.row ?? [])
  const others = await findSameIdentity(db, restored)
  const own = new Set(records.map(({ record_id }) => record_id))
  return new Map([...others].filter(([, other]) => !own.has(other)))
}

const because = (reason: string, ids: ReadonlySet<number>): [number, string][] => Array.from(ids, (id) => [id, reason])

/**
 * A session for each of these rooms, tracks or speakers that refers to it, itself or in its draft, and will, or would again
 * once another revision is undone.
 * @param ids of records that the revision created
 * @param plans with those of all sessions
 */
async function findSessions(
  db: Db,
  revisionId: number,
  kind: RevisedKind,
  ids: number[],
  plans: readonly PlannedUndo[],
): Promise<Map<number, EventId>> {
  if (kind === 'event' || kind === 'participant' || kind === 'conference') return new Map()
  const undone = new Set(plans.flatMap((undo) => (undo.kind === 'event' && isUndone(undo) ? [undo.id] : [])))
  const remaining = (await findEventsWith(db, kind, ids)).filter(({ event }) => !undone.has(event))
  const drafted = (await findDraftsWith(db, kind, ids)).filter(({ event }) => !undone.has(event))
  const former = ids.length === 0 ? [] : await findFormerReferences(db, revisionId, kind)
  const created = new Set(ids)
  return new Map(
    [...former.filter(({ id }) => created.has(id)), ...drafted, ...remaining].map(({ id, event }) => [id, event]),
  )
}

/**
 * What sessions referred to before other revisions changed them. Undos do not count: who undoes one after another, undoes
 * them in that order, too.
 */
async function findFormerReferences(
  db: Db,
  revisionId: number,
  kind: 'room' | 'track' | 'speaker',
): Promise<{ id: number; event: EventId }[]> {
  const found: { id: number; event: EventId }[] = []
  for (let after = 0; ; ) {
    const records = await listEventChangesAfter(db, after, batchSize)
    for (const record of records) {
      if (record.revision_id === revisionId) continue
      const before = readState<StoredEvent>(record.before)
      if (!before) continue
      const { row, speakers } = before
      const draft = readPatch(row.draft)
      const ids = {
        room: [row.room_id, draft.room_id],
        track: [row.track_id, draft.track_id],
        speaker: [...speakers, ...(draft.speakers ?? [])],
      }[kind]
      for (const id of ids) if (id) found.push({ id, event: row.id })
    }
    after = records.at(-1)?.id ?? after
    if (records.length < batchSize) return found
  }
}

/** Rows read per query. */
const batchSize = 500

/** Whether the undo changes the record. */
export const isUndone = ({ change }: PlannedUndo): boolean =>
  change === 'removed' || change === 'restored' || change === 'returned'

/** The kinds of which others may refer to a record: they are removed after those. */
const referredTo: ReadonlySet<RevisedKind> = new Set(['speaker', 'track', 'room', 'conference'])

/** A revision that undoes another. */
export interface Undo extends Omit<NewRevision, 'kind'> {
  revisionId: number
  /** Whether blocked records are left as they are, if there are others; otherwise they prevent the undo. */
  keepChanged: boolean
}

/**
 * Undoes a revision, in the transaction of `scope`; the plan is recomputed within it. The undo is a revision itself, so
 * that it can be undone, except for participants: nothing of them stays that is not needed. If all records stay, so does
 * the revision.
 * @returns its own id, if it changed anything that can be undone; the keys of images that may have no row any more; and the
 *   participants who were removed
 * @throws Failure REVISION_NOT_FOUND, UNDO_BLOCKED
 */
export async function undoRevision(
  scope: WriteScope,
  { revisionId, keepChanged, ...revision }: Undo,
): Promise<{ undo: number | undefined; keys: string[]; people: ParticipantId[] }> {
  const plan = await planUndo(scope.db, revisionId)
  const undone = plan.filter(isUndone)
  // Where all are blocked, nothing would be undone, and its states would be gone.
  if (!keepChanged || undone.length === 0) assertNotBlocked(plan)
  // What stays for now can be undone later.
  if (undone.length === 0 && plan.some(({ change }) => change !== 'gone'))
    return { undo: undefined, keys: [], people: [] }
  const kept = undone.filter(({ kind }) => kind !== 'participant')
  const remove = async (kind: RevisedKind) => {
    const removed = undone.filter((undo) => undo.kind === kind && undo.change === 'removed')
    await removeRecords(
      scope,
      kind,
      removed.map(({ now }) => now),
    )
  }
  const takeBack = async () => {
    // First, since a record that is restored may need the identity of one that is removed.
    for (const kind of revisedKinds) if (!referredTo.has(kind)) await remove(kind)
    for (const { kind, change, before } of undone.toReversed())
      if (change !== 'removed') await restoreRecord(scope, kind, before)
    for (const kind of revisedKinds) if (referredTo.has(kind)) await remove(kind)
    return kept
  }
  // Before the revision that replaces it.
  await finishUndo(scope.db, revisionId, scope.now)
  const made = { ...revision, kind: 'undo', undoes: revisionId } as const
  const undo = await recordChanges(scope, made, kept, undefined, takeBack)
  const people = undone.filter(({ kind, change }) => kind === 'participant' && change === 'removed')
  return {
    undo,
    keys: undone.flatMap(({ kind, now }) => imageKeys(kind, now)),
    people: people.map(({ id }) => id as ParticipantId),
  }
}

/** @throws Failure UNDO_BLOCKED with each blocked record */
function assertNotBlocked(plan: readonly PlannedUndo[]): void {
  const blocked = plan.filter(({ change }) => change === 'blocked')
  if (blocked.length === 0) return
  const fields = blocked
    .slice(0, maxFailedFields)
    .map(({ text, reason }) => bodyField('keep_changed', 'REQUIRED', `${text}: ${reason}.`))
  throw new Failure('UNDO_BLOCKED', { fields })
}
