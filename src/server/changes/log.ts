import type { ChangeKind } from '../../contract/changes.ts'
import { noParticipant, type ParticipantId, type TopicId } from '../core/ids.ts'
import { knownHead, type LogHead, setHead } from '../db/log-head.ts'
import { prepared } from '../db/prepared.ts'
import type { Db, Row } from '../db/tables.ts'
import { notePending } from '../ledger/pending-entries.ts'
import type { WriteScope } from '../scope.ts'
import { emptyLog, hashOfChange } from './chain.ts'

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

const selectAfter = prepared((db, position: number, limit: number) =>
  db
    .selectFrom('change')
    .select(['id', 'kind', 'record_id', 'parent_id'])
    .where('id', '>', position)
    .orderBy('id')
    .limit(limit),
)

/** The first `limit` changes after a position of the log, oldest first. */
export const changesAfter = (
  db: Db,
  position: number,
  limit: number,
): Promise<Pick<Row<'change'>, 'id' | 'kind' | 'record_id' | 'parent_id'>[]> => selectAfter(db, position, limit)

const batchSize = 1_000

/** Reads the whole log in batches, oldest first. */
export async function* readChanges(db: Db): AsyncGenerator<Row<'change'>[]> {
  for (let after = 0; ; ) {
    const next = db.selectFrom('change').selectAll().where('id', '>', after).orderBy('id').limit(batchSize)
    const changes = await next.execute()
    const last = changes.at(-1)
    if (!last) return
    yield changes
    after = last.id
  }
}

export const hasChange = async (db: Db, { id, hash }: LogHead): Promise<boolean> =>
  (await db.selectFrom('change').select('id').where('id', '=', id).where('hash', '=', hash).executeTakeFirst()) !==
  undefined

/** Finds the restores of backups, each with the change before it, if any. Reads the whole log. */
export async function findRestores(db: Db): Promise<{ restore: Row<'change'>; before: Row<'change'> | undefined }[]> {
  const changes = db.selectFrom('change').selectAll()
  const restores = await changes.where('kind', '=', 'summit.restored').execute()
  return Promise.all(
    restores.map(async (restore) => ({
      restore,
      before: await changes.where('id', '=', restore.id - 1).executeTakeFirst(),
    })),
  )
}

export async function countChanges(db: Db): Promise<number> {
  const { changes } = await db
    .selectFrom('change')
    .select((eb) => eb.fn.countAll<number>().as('changes'))
    .executeTakeFirstOrThrow()
  return Number(changes)
}
