import { commandName } from '../../../core/command-name.ts'
import { OperatorError } from '../../../core/errors.ts'
import { formatCount } from '../../../core/format-count.ts'
import type { ParticipantId } from '../../../core/ids.ts'
import type { WriteScope } from '../../../scope.ts'
import type { Db } from '../../../storage/db/tables.ts'
import { findEventsWithFeedback } from '../../feedback/feedback.ts'
import { findWriters, type StoredParticipant } from '../../participants/stored-participants.ts'
import type { StoredEvent } from '../../program/stored-events.ts'
import { loginDifference } from '../participants/login-plan.ts'
import { compareParticipant } from '../participants/participant-differences.ts'
import { compareEvent } from '../program/event-differences.ts'
import {
  findLaterRecords,
  findRun,
  finishUndo,
  type ImportRecord,
  listRecords,
  listRuns,
} from '../records/import-store.ts'
import {
  describeRecord,
  type ImportedKind,
  imageKeys,
  loadStates,
  removeEvents,
  removePeople,
  restoreRecord,
} from '../records/record-states.ts'
import { participantFields } from '../source.ts'

/** All imports that have changed something, newest first. */
export const listImports = (db: Db) => listRuns(db)

export const undoChanges = ['removed', 'restored', 'blocked', 'gone'] as const

/** The effect of undoing an import on one record. */
export interface PlannedUndo {
  change: (typeof undoChanges)[number]
  /** The record, for display. */
  text: string
  /** The fields that get their former values, as in the plan of an import. */
  differences: string[]
  /** The reason why the record is blocked: it was changed since the import, or others refer to it. */
  reason?: string
  kind: ImportedKind
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
  const plans = await Promise.all([...byKind].map(([kind, records]) => planKind(db, importId, kind, records)))
  return plans.flat()
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
): Promise<PlannedUndo[]> {
  const ids = records.map(({ record_id }) => record_id)
  const now = await loadStates(db, kind, ids)
  const created = records.filter(({ before }) => before === '').map(({ record_id }) => record_id)
  const reasons = new Map([
    ...(await findReferences(db, kind, created)),
    ...(await findLaterRecords(db, importId, kind, ids)).map(
      ({ record_id, import_id }) => [record_id, `changed by import ${import_id}; undo that one first`] as const,
    ),
  ])
  return records.map(({ record_id, before, after }): PlannedUndo => {
    const state = now.get(record_id)
    const planned = { kind, now: state ?? '', before, text: describeRecord(kind, state ?? after), differences: [] }
    if (state === undefined) return { ...planned, change: 'gone' }
    const reason = reasons.get(record_id) ?? (state === after ? undefined : 'changed by a client or another command')
    if (reason !== undefined) return { ...planned, change: 'blocked', reason }
    if (before === '') return { ...planned, change: 'removed' }
    return { ...planned, change: 'restored', differences: compareStates(kind, state, before) }
  })
}

/** The records among these that clients refer to, with the reason. @param ids of records that the import created */
async function findReferences(db: Db, kind: ImportedKind, ids: number[]): Promise<[number, string][]> {
  if (kind === 'event') return [...(await findEventsWithFeedback(db, ids))].map((id) => [id, 'it has feedback'])
  const writers = await findWriters(db, ids as ParticipantId[])
  return [...writers].map((id) => [id, 'they have posted, liked, attached a file or given feedback'])
}

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
  const undone = plan.filter(({ change }) => change === 'removed' || change === 'restored')
  // First, since a record that is restored may need the identity of one that is removed.
  const removed = Map.groupBy(
    undone.filter(({ change }) => change === 'removed'),
    ({ kind }) => kind,
  )
  const removedOf = (kind: ImportedKind) => (removed.get(kind) ?? []).map(({ now }) => now)
  await removeEvents(scope, removedOf('event'))
  const people = await removePeople(scope, removedOf('participant'))
  for (const { change, kind, before } of undone) if (change === 'restored') await restoreRecord(scope, kind, before)
  await finishUndo(scope.db, importId, scope.now)
  return { keys: undone.flatMap(({ kind, now }) => imageKeys(kind, now)), people }
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

/** The differences between two states of a record, as an import shows them. */
function compareStates(kind: ImportedKind, from: string, to: string): string[] {
  if (kind === 'participant') {
    const [before, after] = [JSON.parse(from), JSON.parse(to)] as [StoredParticipant, StoredParticipant]
    const values = Object.fromEntries(participantFields.map((field) => [field, after.row[field]]))
    const differences = compareParticipant(values, before.row)
    return before.login === after.login ? differences : [...differences, loginDifference]
  }
  const [{ row: old }, { row }] = [JSON.parse(from), JSON.parse(to)] as [StoredEvent, StoredEvent]
  const others = [
    ...(['banner', 'photo'] as const).filter((field) => row[field] !== old[field]),
    ...(row.source_key === old.source_key ? [] : ['id']),
  ]
  const { change, differences } = compareEvent(row, old, others)
  return change === 'cancelled' ? ['cancelled', ...differences] : differences
}
