import type { ChangeKind } from '../../../contract/changes.ts'
import type { HmacKey } from '../../core/hmac-key.ts'
import { noParticipant, type ParticipantId, type TopicId } from '../../core/ids.ts'
import type { WriteScope } from '../../scope.ts'
import { knownHead, setHead } from '../../storage/db/group-commit.ts'
import { prepared } from '../../storage/db/prepared.ts'
import { type Db, emptyLog, type LogHead, type Row } from '../../storage/db/tables.ts'
import { notePending } from '../ledger/pending-entries.ts'

/** The kinds of changes to a topic, or to a comment, like or file of a topic. */
export type TopicChangeKind = Extract<ChangeKind, `${'topic' | 'comment' | 'file'}.${string}`>

interface ChangeFields {
  record: number
  /** The participant in whose name the change was made; left out if unknown. */
  actor?: ParticipantId
}

interface TopicChange extends ChangeFields {
  kind: TopicChangeKind
  /** The topic itself, or the topic of the comment, like or file. Cached responses that show it become stale. */
  parent: TopicId
}

interface OtherChange extends ChangeFields {
  kind: Exclude<ChangeKind, TopicChangeKind>
  parent?: never
}

/** The kind of a change and the record that it affects. */
export type Change = TopicChange | OtherChange

/** The columns that a hash covers. */
type HashedChange = Omit<Row<'change'>, 'hash'>

/**
 * The hash of a change: HMAC-SHA-256 over the hash of the change before and its own columns as a JSON array, as 64 hex
 * digits. JSON tells where each value ends, so no two changes have the same text. Every column is a number or one of
 * the server's own words, so that erasing personal data leaves the hashes valid.
 * @param before the hash of the change before; '' if that is not sealed, or there is none
 */
export const hashOfChange = (
  key: HmacKey,
  before: string,
  { id, at, kind, record_id, parent_id, actor_id, credential_id, request_id }: HashedChange,
): string =>
  key.digest(JSON.stringify([before, id, at, kind, record_id, parent_id, actor_id, credential_id, request_id]))

/**
 * The hash of a change in a chain that an older Summit began: over the same values with spaces between them. It never
 * equals one over JSON, which begins with a bracket.
 * @returns undefined if a value other than the last contains a space, or a number is none: then other columns could have
 *   the same text
 */
export function olderHashOfChange(
  key: HmacKey,
  before: string,
  { id, at, kind, record_id, parent_id, actor_id, credential_id, request_id }: HashedChange,
): string | undefined {
  // An embedded engine stores values of any type in any column.
  const areNumbers = [id, at, record_id, parent_id, actor_id, credential_id].every(Number.isSafeInteger)
  if (!areNumbers || typeof kind !== 'string' || typeof request_id !== 'string' || `${before}${kind}`.includes(' '))
    return undefined
  return key.digest(
    `${before} ${id} ${at} ${kind} ${record_id} ${parent_id} ${actor_id} ${credential_id} ${request_id}`,
  )
}

const insert = prepared(
  (
    db,
    id: number,
    at: number,
    kind: string,
    record_id: number,
    parent_id: number,
    actor_id: ParticipantId,
    credential_id: number,
    request_id: string,
    hash: string,
  ) =>
    db.insertInto('change').values({ id, at, kind, record_id, parent_id, actor_id, credential_id, request_id, hash }),
)

/**
 * Appends to the log, in the transaction of the write itself: there is no write without its row, and no row without its
 * write. Ids have no gaps, so that a removed row shows. Await it before the next change of the transaction.
 */
export async function appendChange(
  { db, now: at, principal, requestId, auditKey }: WriteScope,
  { kind, record, parent = 0 as TopicId, actor = noParticipant }: Change,
): Promise<void> {
  const before = knownHead(db) ?? (await readHead(db))
  const id = before.id + 1
  const credential = principal.credential
  const hash = auditKey
    ? hashOfChange(auditKey, before.hash, {
        id,
        at,
        kind,
        record_id: record,
        parent_id: parent,
        actor_id: actor,
        credential_id: credential,
        request_id: requestId,
      })
    : ''
  await insert(db, id, at, kind, record, parent, actor, credential, requestId, hash)
  setHead(db, { id, hash })
  notePending(db, kind, id)
}

const selectNewest = prepared((db, limit: number) =>
  db.selectFrom('change').selectAll().orderBy('id', 'desc').limit(limit),
)

/** The newest changes, newest first. */
export const newestChanges = (db: Db, limit: number): Promise<Row<'change'>[]> => selectNewest(db, limit)

export async function readHead(db: Db): Promise<LogHead> {
  const [newest = emptyLog] = await newestChanges(db, 1)
  return { id: newest.id, hash: newest.hash }
}
