import type { ChangeKind } from '../../contract/changes.ts'
import { noParticipant, type ParticipantId, type TopicId } from '../core/ids.ts'
import { prepared } from '../db/prepared.ts'
import type { Db, Row } from '../db/tables.ts'
import type { WriteScope } from '../scope.ts'

/** The kinds of changes to a topic, or to a comment, like or file of a topic. */
export type TopicChangeKind = Extract<ChangeKind, `${'topic' | 'comment' | 'file'}.${string}`>

interface ChangeFields {
  record: number
  /** The participant who made the change; left out if unknown. */
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
  (db, at: number, kind: string, record: number, parent: number, actor: ParticipantId, requestId: string) =>
    db.insertInto('change').values({
      at,
      kind,
      record_id: record,
      parent_id: parent,
      actor_id: actor,
      request_id: requestId,
    }),
)

/** Appends to the log, in the transaction of the write itself: there is no write without its row, and no row without its write. */
export async function appendChange(
  scope: WriteScope,
  { kind, record, parent, actor = noParticipant }: Change,
): Promise<void> {
  await insert(scope.db, scope.now, kind, record, parent ?? 0, actor, scope.requestId)
}

const selectAfter = prepared((db, position: number, limit: number) =>
  db.selectFrom('change').select(['id', 'kind', 'parent_id']).where('id', '>', position).orderBy('id').limit(limit),
)

/** The first `limit` changes after a position of the log, oldest first. */
export const changesAfter = (
  db: Db,
  position: number,
  limit: number,
): Promise<Pick<Row<'change'>, 'id' | 'kind' | 'parent_id'>[]> => selectAfter(db, position, limit)
