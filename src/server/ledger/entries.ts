import { type Static, Type } from 'typebox'
import type { ChangeKind } from '../../contract/changes.ts'
import { compileSchema } from '../core/compile-schema.ts'
import type { Db } from '../db/tables.ts'

/** The kinds of changes that a restored backup must not undo: erasures and revocations. */
export const ledgerKinds = [
  'participant.forgotten',
  'participant.anonymized',
  'participant.deleted',
  'feedback.deleted',
  'credential.revoked',
] as const satisfies ChangeKind[]

export type LedgerKind = (typeof ledgerKinds)[number]

export const isLedgerKind = (kind: string): kind is LedgerKind => (ledgerKinds as readonly string[]).includes(kind)

/** An erasure or a revocation, as the change log has it. It contains no personal data. */
const LedgerEntry = Type.Object({
  id: Type.Integer({ description: 'Of the change.' }),
  at: Type.Integer({ description: 'Milliseconds since 1970.' }),
  kind: Type.Unsafe<LedgerKind>(Type.Enum([...ledgerKinds])),
  record: Type.Integer(),
  hash: Type.String({ description: 'Of the change; empty if it is not sealed.' }),
})
export type LedgerEntry = Static<typeof LedgerEntry>

/** One line of JSON for each entry. */
export const formatEntries = (entries: readonly LedgerEntry[]): string =>
  entries.map(({ id, at, kind, record, hash }) => `${JSON.stringify({ id, at, kind, record, hash })}\n`).join('')

/** Lines that are no entry, such as one that a power failure has cut, are left out. */
export const parseEntries = (text: string): LedgerEntry[] =>
  text.split('\n').flatMap((line) => {
    try {
      const entry: unknown = JSON.parse(line)
      return compileSchema(LedgerEntry).Check(entry) ? [entry] : []
    } catch {
      return []
    }
  })

/** Entries of any of the lists, each once, in the order of their time. */
export function mergeEntries(...lists: readonly LedgerEntry[][]): LedgerEntry[] {
  const entries = new Map(lists.flat().map((entry) => [formatEntries([entry]), entry]))
  return [...entries.values()].sort((a, b) => a.at - b.at || a.id - b.id)
}

/**
 * The entries of a change log, which are all that its database knows of.
 * @param ids only those of these changes
 * @param hasHashes whether its schema has hashes
 */
export async function selectEntries(
  db: Db,
  { ids, hasHashes = true }: { ids?: readonly number[]; hasHashes?: boolean } = {},
): Promise<LedgerEntry[]> {
  let query = db
    .selectFrom('change')
    .select(['id', 'at', 'kind', 'record_id as record'])
    .$if(hasHashes, (all) => all.select('hash'))
    .where('kind', 'in', ledgerKinds)
    .orderBy('id')
  if (ids) query = query.where('id', 'in', ids)
  const rows = await query.execute()
  return rows.map(({ id, at, kind, record, hash = '' }) => ({ id, at, kind: kind as LedgerKind, record, hash }))
}

/** The id of the newest entry after a position of the log; undefined if there is none. */
export async function newestEntry(db: Db, position: number): Promise<number | undefined> {
  const later = db.selectFrom('change').select('id').where('id', '>', position).where('kind', 'in', ledgerKinds)
  return (await later.orderBy('id', 'desc').limit(1).executeTakeFirst())?.id
}
