import type { Data } from '../../../contract/index.ts'
import { Failure } from '../../core/failure.ts'
import type { PageParams } from '../../core/paging.ts'
import type { HandlerInput } from '../../operation.ts'
import type { PersonalScope, Scope, WriteScope } from '../../scope.ts'
import type { Db } from '../../storage/db/tables.ts'
import { listAddresses } from '../organizers/organizers.ts'
import type { RevisionKind } from '../revisions/record-revision.ts'
import { hasRecordOf, listRevisions as listRows } from '../revisions/store.ts'
import { planUndo as plan, undoRevision } from '../revisions/undo.ts'

// Revisions as editors see them. That a command changed participants is listed like all else, with their number; who they
// are is not, and only a command undoes it: to remove people for good, it writes to the ledger.

export async function listRevisions(scope: PersonalScope, page: PageParams): Promise<Data<'listRevisions'>> {
  const rows = await listRows(scope.db, page)
  const addresses = await listAddresses(scope.db)
  return {
    revisions: rows.map(({ id, kind, command, file, at, organizer_id, note, records, participants, ...row }) => ({
      id: String(id),
      kind: kind as RevisionKind,
      command,
      file,
      at: scope.timestamp(at),
      organizer: addresses.get(organizer_id) ?? null,
      note,
      records,
      undoes: row.undoes === 0 ? null : String(row.undoes),
      is_undone: row.undone_at !== 0,
      is_undoable: row.undone_at === 0 && participants === 0,
      is_release: row.notes !== '[]' || note !== '',
    })),
  }
}

/** @throws Failure REVISION_NOT_FOUND also if it has been undone, FORBIDDEN if it changed participants */
export async function planUndo({ db }: Scope, id: number): Promise<Data<'planUndo'>> {
  await assertOfProgram(db, id)
  return {
    records: (await plan(db, id)).map(({ kind, id, text, change, reason = null, differences }) => ({
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
