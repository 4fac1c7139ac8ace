import type { Data } from '../../../contract/index.ts'
import type { Revision } from '../../../contract/revisions.ts'
import { Failure } from '../../core/failure.ts'
import type { EventId } from '../../core/ids.ts'
import type { HandlerInput } from '../../operation.ts'
import type { PersonalScope, Scope, WriteScope } from '../../scope.ts'
import type { Db } from '../../storage/db/tables.ts'
import { listAddresses } from '../organizers/organizers.ts'
import { withDraft } from '../program/drafts.ts'
import { findRecords, listRecords } from '../program/records.ts'
import { createInstantFormatter, zoneOf } from '../program/schedule-times.ts'
import { loadEvents } from '../program/stored-events.ts'
import type { RevisionKind } from '../revisions/record-revision.ts'
import {
  findListed,
  hasRecordOf,
  type ListedRevision,
  listRecordsIn,
  listRevisions as listRows,
} from '../revisions/store.ts'
import { planUndo as plan, undoRevision } from '../revisions/undo.ts'

// Revisions as editors see them. That a command changed participants is listed like all else, with their number; who they
// are is not, and only a command undoes it: to remove people for good, it writes to the ledger.

export async function listRevisions(
  scope: PersonalScope,
  wanted: HandlerInput<'listRevisions'>,
): Promise<Data<'listRevisions'>> {
  return { revisions: await showRevisions(scope, await listRows(scope.db, wanted)) }
}

async function showRevisions(scope: Scope, rows: readonly ListedRevision[]): Promise<Revision[]> {
  const addresses = await listAddresses(scope.db)
  const [conference] = await listRecords(scope.db, 'conference')
  const formatInstant = createInstantFormatter(zoneOf(conference, scope), scope)
  const titles = await findTitles(
    scope.db,
    rows.filter(({ records }) => records === 1).map(({ id }) => id),
  )
  return rows.map(({ id, kind, command, file, at, organizer_id, note, records, participants, ...row }) => ({
    id: String(id),
    kind: kind as RevisionKind,
    command,
    file,
    at: formatInstant(at),
    organizer: addresses.get(organizer_id) ?? null,
    note,
    records,
    title: titles.get(id) ?? '',
    undoes: row.undoes === 0 ? null : String(row.undoes),
    is_undone: row.undone_at !== 0,
    is_undoable: row.undone_at === 0 && participants === 0,
    is_release: row.notes !== '[]' || note !== '',
  }))
}

/** The present titles of records, by the revisions that changed only them; none for participants. */
async function findTitles(db: Db, revisionIds: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const records = revisionIds.length === 0 ? [] : await listRecordsIn(db, revisionIds)
  const idsOf = <Id extends number>(wanted: string) =>
    records.flatMap(({ kind, record_id }) => (kind === wanted ? (record_id as Id) : []))
  const events = (await loadEvents(db, idsOf<EventId>('event'))).map(withDraft)
  const named = new Map(events.map(({ row }) => [`event ${row.id}`, row.title]))
  for (const kind of ['speaker', 'room', 'track'] as const)
    for (const { id, name } of await findRecords(db, kind, idsOf(kind))) named.set(`${kind} ${id}`, name)
  return new Map(
    records.flatMap(({ revision_id, kind, record_id }) => {
      const name = named.get(`${kind} ${record_id}`)
      return name === undefined ? [] : [[revision_id, name]]
    }),
  )
}

/** @throws Failure REVISION_NOT_FOUND also if it has been undone, FORBIDDEN if it changed participants */
export async function planUndo(scope: Scope, id: number): Promise<Data<'planUndo'>> {
  const { db } = scope
  await assertOfProgram(db, id)
  const planned = await plan(db, id)
  const [revision] = await showRevisions(scope, await findListed(db, id))
  if (!revision) throw new Failure('REVISION_NOT_FOUND')
  return {
    revision,
    records: planned.map(({ kind, id, text, change, reason = null, differences }) => ({
      ...{ kind, id: String(id), text, change, reason, differences },
    })),
  }
}

/**
 * No image is left without a row, unlike that of a participant: the undo refers to those of the states that it replaced.
 * @throws Failure as {@link planUndo}, and UNDO_BLOCKED
 */
export async function undo(
  scope: WriteScope,
  { id, keep_changed = false }: HandlerInput<'undoRevision'>,
): Promise<Data<'undoRevision'>> {
  await assertOfProgram(scope.db, id)
  const revision = { revisionId: id, command: 'undoRevision', keepChanged: keep_changed }
  const { undo } = await undoRevision(scope, revision)
  return { revision_id: undo === undefined ? null : String(undo) }
}

async function assertOfProgram(db: Db, id: number): Promise<void> {
  if (await hasRecordOf(db, id, 'participant')) throw new Failure('FORBIDDEN')
}
