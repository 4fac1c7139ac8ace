import { commandName } from '../../../core/command-name.ts'
import { OperatorError } from '../../../core/errors.ts'
import { formatCount } from '../../../core/format-count.ts'
import type { EventId, ParticipantId } from '../../../core/ids.ts'
import type { WriteScope } from '../../../scope.ts'
import type { Db, Row } from '../../../storage/db/tables.ts'
import { findEventsWithFeedback } from '../../feedback/feedback.ts'
import { findWriters, type StoredParticipant } from '../../participants/stored-participants.ts'
import { findEventsWith } from '../../program/records.ts'
import { type StoredEvent, showEvents } from '../../program/stored-events.ts'
import { findEventsWithStars } from '../../stars/stars.ts'
import { loginDifference } from '../participants/login-plan.ts'
import { compareParticipant } from '../participants/participant-differences.ts'
import { compareEvent } from '../program/event-differences.ts'
import { describePartChanges } from '../program/program-parts-plan.ts'
import {
  findLaterRecords,
  findRun,
  finishUndo,
  type ImportRecord,
  listRecords,
  listRecordsAfter,
  listRuns,
} from '../records/import-store.ts'
import {
  describeRecord,
  type ImportedKind,
  imageKeys,
  importedKinds,
  loadStates,
  removeRecords,
  restoreRecord,
} from '../records/record-states.ts'
import { participantFields } from '../source.ts'

/** All imports that have changed something, newest first. */
export const listImports = (db: Db) => listRuns(db)

export const undoChanges = ['removed', 'restored', 'blocked', 'stays', 'gone'] as const

/** The effect of undoing an import on one record. */
export interface PlannedUndo {
  change: (typeof undoChanges)[number]
  /** The record, for display. */
  text: string
  /** The fields that get their former values, as in the plan of an import. */
  differences: string[]
  /**
   * The reason why the record is blocked: it was changed since the import, or others refer to it. A room, track or speaker
   * just stays while sessions refer to it.
   */
  reason?: string
  kind: ImportedKind
  id: number
  /** As it is now. */
  now: string
  /** As it was; `''` if the import created it. */
  before: string
}

/**
 * Plans to undo an import. A record that was changed since the import, or that others refer to, is blocked.
 * @throws OperatorError if there is no such import, or it has been undone
 */
export async function planUndo(db: Db, importId: number): Promise<PlannedUndo[]> {
  const run = await findRun(db, importId)
  if (!run) throw new OperatorError(`There is no import ${importId}. To list them: ${commandName} import list`)
  if (run.undone_at !== 0) throw new OperatorError(`Import ${importId} has already been undone.`)
  const byKind = Map.groupBy(foldRecords(await listRecords(db, importId)), ({ kind }) => kind as ImportedKind)
  const plans: PlannedUndo[] = []
  for (const kind of importedKinds) plans.push(...(await planKind(db, importId, kind, byKind.get(kind) ?? [], plans)))
  return plans
}

/**
 * Merges the entries of each record, from its first state to its last: an import may change a record more than once, as
 * by its banner and its photo.
 */
function foldRecords(records: readonly ImportRecord[]): ImportRecord[] {
  const folded = new Map<string, ImportRecord>()
  for (const record of records) {
    const key = `${record.kind} ${record.record_id}`
    folded.set(key, { ...record, before: folded.get(key)?.before ?? record.before })
  }
  return [...folded.values()]
}

async function planKind(
  db: Db,
  importId: number,
  kind: ImportedKind,
  records: readonly ImportRecord[],
  plans: readonly PlannedUndo[],
): Promise<PlannedUndo[]> {
  if (records.length === 0) return []
  const ids = records.map(({ record_id }) => record_id)
  const now = await loadStates(db, kind, ids)
  const created = records.filter(({ before }) => before === '').map(({ record_id }) => record_id)
  const reasons = new Map<number, string>([
    ...(await findReferences(db, kind, created)),
    ...(await findLaterRecords(db, importId, kind, ids)).map(
      ({ record_id, import_id }) => [record_id, `changed by import ${import_id}; undo that one first`] as const,
    ),
  ])
  const sessions = await findSessions(db, importId, kind, created, plans)
  const planned = records.map(({ record_id, before, after }): PlannedUndo => {
    const state = now.get(record_id)
    const text = describeRecord(kind, state ?? after)
    const planned = { kind, id: record_id, now: state ?? '', before, text, differences: [] }
    if (state === undefined) return { ...planned, change: 'gone' }
    const reason = reasons.get(record_id) ?? (state === after ? undefined : 'changed by a client or another command')
    if (reason !== undefined) return { ...planned, change: 'blocked', reason }
    const session = sessions.get(record_id)
    if (session !== undefined) return { ...planned, change: 'stays', reason: `session ${session} refers to it` }
    if (before === '') return { ...planned, change: 'removed' }
    return { ...planned, change: 'restored' }
  })
  const restored = planned.filter(({ change }) => change === 'restored')
  const differences = await compareStates(db, kind, restored)
  return planned.map((undo) => ({ ...undo, differences: differences.get(undo.id) ?? [] }))
}

/** The records among these that clients refer to, with the reason. @param ids of records that the import created */
async function findReferences(db: Db, kind: ImportedKind, ids: number[]): Promise<[number, string][]> {
  if (kind === 'event')
    return [
      ...because('it has stars', await findEventsWithStars(db, ids)),
      ...because('it has feedback', await findEventsWithFeedback(db, ids)),
    ]
  if (kind !== 'participant') return []
  return because('they have written or starred something', await findWriters(db, ids as ParticipantId[]))
}

const because = (reason: string, ids: ReadonlySet<number>): [number, string][] => Array.from(ids, (id) => [id, reason])

/**
 * A session for each of these rooms, tracks or speakers that refers to it, and will, or would again once another import is
 * undone.
 * @param ids of records that the import created
 * @param plans with those of all sessions
 */
async function findSessions(
  db: Db,
  importId: number,
  kind: ImportedKind,
  ids: number[],
  plans: readonly PlannedUndo[],
): Promise<Map<number, EventId>> {
  if (kind === 'event' || kind === 'participant' || kind === 'conference') return new Map()
  const undone = new Set(plans.flatMap((undo) => (undo.kind === 'event' && isUndone(undo) ? [undo.id] : [])))
  const remaining = (await findEventsWith(db, kind, ids)).filter(({ event }) => !undone.has(event))
  const former = ids.length === 0 ? [] : await findFormerReferences(db, importId, kind)
  const created = new Set(ids)
  return new Map([...former.filter(({ id }) => created.has(id)), ...remaining].map(({ id, event }) => [id, event]))
}

/** What sessions referred to before other imports changed them. */
async function findFormerReferences(
  db: Db,
  importId: number,
  kind: 'room' | 'track' | 'speaker',
): Promise<{ id: number; event: EventId }[]> {
  const found: { id: number; event: EventId }[] = []
  for (let after = 0; ; ) {
    const records = await listRecordsAfter(db, after, batchSize)
    for (const record of records) {
      if (record.import_id === importId || record.kind !== 'event') continue
      const { row, speakers } = JSON.parse(record.before) as StoredEvent
      const ids = { room: [row.room_id], track: [row.track_id], speaker: speakers }[kind]
      for (const id of ids) if (id !== null) found.push({ id, event: row.id })
    }
    after = records.at(-1)?.id ?? after
    if (records.length < batchSize) return found
  }
}

/** Rows read per query. */
const batchSize = 500

const isUndone = ({ change }: PlannedUndo): boolean => change === 'removed' || change === 'restored'

/**
 * Undoes an import, in the transaction of `scope`; the plan is recomputed within it.
 * @param keepChanged whether blocked records are left as they are; otherwise they prevent the undo
 * @returns the keys of images that may have no row any more, and the participants who were removed
 * @throws OperatorError
 */
export async function undoImport(
  scope: WriteScope,
  importId: number,
  keepChanged: boolean,
): Promise<{ keys: string[]; people: ParticipantId[] }> {
  const plan = await planUndo(scope.db, importId)
  if (!keepChanged) assertUnchanged(plan)
  const undone = plan.filter(isUndone)
  for (const kind of importedKinds) {
    const ofKind = undone.filter((undo) => undo.kind === kind)
    const removed = ofKind.filter(({ change }) => change === 'removed')
    // First, since a record that is restored may need the identity of one that is removed.
    await removeRecords(
      scope,
      kind,
      removed.map(({ now }) => now),
    )
    for (const { change, before } of ofKind) if (change === 'restored') await restoreRecord(scope, kind, before)
  }
  await finishUndo(scope.db, importId, scope.now)
  const people = undone.filter(({ kind, change }) => kind === 'participant' && change === 'removed')
  return {
    keys: undone.flatMap(({ kind, now }) => imageKeys(kind, now)),
    people: people.map(({ id }) => id as ParticipantId),
  }
}

/** @throws OperatorError if a record is blocked */
export function assertUnchanged(plan: readonly PlannedUndo[]): void {
  const blocked = plan.filter(({ change }) => change === 'blocked').length
  if (blocked > 0)
    throw new OperatorError(
      `Nothing was changed, because ${formatCount(blocked, 'record')} of this import cannot be undone (listed as blocked). To leave ` +
        'such records as they are and undo the others, add --keep-changed.',
    )
}

/** The differences between the states of records now and before, as an import shows them, by id. */
async function compareStates(
  db: Db,
  kind: ImportedKind,
  undone: readonly PlannedUndo[],
): Promise<Map<number, string[]>> {
  if (kind === 'event') {
    const parse = (states: string[]) =>
      showEvents(
        db,
        states.map((state) => JSON.parse(state) as StoredEvent),
      )
    const [now, before] = [await parse(undone.map((undo) => undo.now)), await parse(undone.map((undo) => undo.before))]
    return new Map(undone.map(({ id }) => [id, compareEvents(now.get(id as EventId), before.get(id as EventId))]))
  }
  return new Map(undone.map(({ id, now, before }) => [id, compareRows(kind, JSON.parse(now), JSON.parse(before))]))
}

function compareEvents(old: Row<'event'> | undefined, row: Row<'event'> | undefined): string[] {
  if (!old || !row) return []
  const others = [
    ...(['banner', 'photo'] as const).filter((field) => row[field] !== old[field]),
    ...(row.source_key === old.source_key ? [] : ['id']),
    ...(row.track_id === old.track_id ? [] : ['track']),
  ]
  const { change, differences } = compareEvent(row, old, others)
  return change === 'cancelled' ? ['cancelled', ...differences] : differences
}

function compareRows(kind: ImportedKind, from: { row: object }, to: { row: object }): string[] {
  if (kind !== 'participant') {
    const [old, row] = [from.row, to.row] as Record<string, unknown>[]
    return describePartChanges(
      old ?? {},
      row ?? {},
      Object.keys(row ?? {}).filter((column) => row?.[column] !== old?.[column]),
    )
  }
  const [before, after] = [from, to] as [StoredParticipant, StoredParticipant]
  const values = Object.fromEntries(participantFields.map((field) => [field, after.row[field]]))
  const differences = compareParticipant(values, before.row)
  return before.login === after.login ? differences : [...differences, loginDifference]
}
