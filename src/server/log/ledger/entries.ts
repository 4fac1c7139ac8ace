import { type Static, Type } from 'typebox'
import type { ChangeKind } from '../../../contract/changes.ts'
import { lazyValidator } from '../../core/compile-schema.ts'
import { inChunks } from '../../storage/db/in-chunks.ts'
import { type Db, emptyLog } from '../../storage/db/tables.ts'
import { summitFingerprint } from './summit-fingerprint.ts'

/**
 * The kinds of changes that a restored backup must not undo: erasures, revocations, changes to the ways of signing in,
 * and withdrawals from the directory.
 */
const kinds = [
  'participant.forgotten',
  'participant.anonymized',
  'participant.files_erased',
  'participant.deleted',
  'speaker.erased',
  'feedback.deleted',
  'credential.revoked',
  'organizer.removed',
  'organizer.updated',
  'organizer.disconnected',
  'passkey.removed',
  'login.changed',
  'sharing.withdrawn',
  'sharing.hidden',
] as const satisfies ChangeKind[]

export type LedgerKind = (typeof kinds)[number]

export const ledgerKinds: ReadonlySet<string> = new Set(kinds)

/** Any entry, perhaps of a kind that a newer version has added: its members stay as they are. */
const StoredEntry = Type.Object({
  summit: Type.Optional(Type.String({ description: 'See `summitFingerprint`.' })),
  kind: Type.String(),
})
export type StoredEntry = Static<typeof StoredEntry>
const storedEntry = lazyValidator(StoredEntry)

/** An erasure or a revocation, as the change log has it. It contains no personal data. */
const LedgerEntry = Type.Object({
  summit: Type.String(),
  id: Type.Integer({ description: 'Of the change.' }),
  at: Type.Integer({ description: 'Milliseconds since 1970.' }),
  kind: Type.Unsafe<LedgerKind>(Type.Enum([...kinds])),
  record: Type.Integer(),
  hash: Type.String({ description: 'Of the change; empty if it is not sealed.' }),
})
export type LedgerEntry = Static<typeof LedgerEntry>
const ledgerEntry = lazyValidator(LedgerEntry)

/** One line of JSON for each entry. */
export const formatEntries = (entries: readonly StoredEntry[]): string =>
  entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')

/** Lines that are no entry, such as one that a power failure has cut, are left out. */
export const parseEntries = (text: string): StoredEntry[] =>
  text.split('\n').flatMap((line) => {
    try {
      const entry: unknown = JSON.parse(line)
      return storedEntry().Check(entry) ? [entry] : []
    } catch {
      return []
    }
  })

/** Entries of any of the lists, each once, in their order. */
export function mergeEntries(...lists: readonly StoredEntry[][]): StoredEntry[] {
  const entries = new Map(lists.flat().map((entry) => [formatEntries([entry]), entry]))
  return [...entries.values()]
}

/** Whether this version knows what an entry means. */
export const isKnownEntry = (entry: StoredEntry): entry is LedgerEntry => ledgerEntry().Check(entry)

/** The changes to look at; all, if none are named. */
interface EntryFilter {
  ids?: readonly number[]
  /** After the first, and up to the last. */
  between?: readonly [number, number]
  /** Whether the schema has hashes. */
  hasHashes?: boolean
}

/** A restore ends all of these, so that the end of each one need not be known. */
export const endedByRestore = ['session', 'invitation']

/** The entries of a change log. */
export async function selectEntries(
  db: Db,
  { ids, between, hasHashes = true }: EntryFilter = {},
): Promise<LedgerEntry[]> {
  let query = db
    .selectFrom('change')
    .select(['id', 'at', 'kind', 'record_id as record'])
    .where('kind', 'in', kinds)
    .where('id', '>', emptyLog.id)
    .orderBy('id')
    .$if(hasHashes, (all) =>
      all
        .select('hash')
        .where(({ or, eb, exists }) => or([eb('kind', '!=', 'credential.revoked'), exists(lastingCredential(db))])),
    )
  if (between) query = query.where('id', '>', between[0]).where('id', '<=', between[1])
  const rows = await (ids ? inChunks([...ids], (some) => query.where('id', 'in', some).execute()) : query.execute())
  if (rows.length === 0) return []
  const summit = await summitFingerprint(db)
  return rows.map(({ id, at, kind, record, hash = '' }) => ({ summit, id, at, kind: kind as LedgerKind, record, hash }))
}

/**
 * The credential of a change, unless a restore ends it anyway. Credentials that a restore ends are deleted long after
 * their end; all of a participant are deleted with the participant, which has an entry of its own.
 */
const lastingCredential = (db: Db) =>
  db
    .selectFrom('credential')
    .select('credential.id')
    .whereRef('credential.id', '=', 'change.record_id' as never)
    .where('credential.kind', 'not in', endedByRestore)

/** Changes that are looked at in one query, which takes about a millisecond. */
const scanned = 10_000

/** The entries of a part of the log, which may be long: other work goes on meanwhile. */
export async function scanEntries(db: Db, after: number, last: number): Promise<LedgerEntry[]> {
  const entries: LedgerEntry[] = []
  for (let start = after; start < last; start += scanned) {
    entries.push(...(await selectEntries(db, { between: [start, Math.min(last, start + scanned)] })))
    await new Promise(setImmediate)
  }
  return entries
}
