import { revokeKey } from '../access/keys.ts'
import type { ParticipantId } from '../core/ids.ts'
import type { Db } from '../db/tables.ts'
import { deleteFeedback } from '../feedback/feedback.ts'
import type { LedgerEntry, LedgerKind } from '../ledger/entries.ts'
import type { WriteScope } from '../scope.ts'
import { forgetParticipant } from './forget-participant.ts'

/** Applies one entry again, to a record that exists. */
type Apply = (scope: WriteScope, id: number) => Promise<unknown>

interface Reapplied {
  /** The table of its record. */
  table: 'participant' | 'feedback' | 'credential'
  apply: Apply
}

const forget = (keepPosts: boolean): Reapplied => ({
  table: 'participant',
  apply: (scope, id) => forgetParticipant(scope, id as ParticipantId, keepPosts),
})

/** In the order in which they are applied: of several entries of a participant, the one that erases most counts. */
const reapplied: Record<LedgerKind, Reapplied> = {
  'participant.forgotten': forget(false),
  'participant.anonymized': forget(true),
  'participant.deleted': forget(true),
  'feedback.deleted': { table: 'feedback', apply: deleteFeedback },
  'credential.revoked': { table: 'credential', apply: revokeKey },
}

/**
 * Repeats the erasures and revocations of a ledger on a summit that was restored from an older backup. A record that was
 * created after an entry is another one that got the same id, and is left alone.
 * @returns how many entries were repeated
 */
export async function applyLedger(scope: WriteScope, entries: readonly LedgerEntry[]): Promise<number> {
  let repeated = 0
  for (const [kind, { table, apply }] of Object.entries(reapplied))
    for (const { record, at } of entries.filter((entry) => entry.kind === kind)) {
      if (!(await existedAt(scope.db, table, record, at))) continue
      if ((await apply(scope, record)) !== false) repeated++
    }
  return repeated
}

async function existedAt(db: Db, table: Reapplied['table'], id: number, at: number): Promise<boolean> {
  const row = db
    .selectFrom(table)
    .select('id')
    .where('id', '=', id as ParticipantId)
    .where('created_at', '<=', at)
  return (await row.executeTakeFirst()) !== undefined
}
