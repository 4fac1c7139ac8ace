import type { ChangeKind } from '../../contract/changes.ts'
import { noParticipant, type ParticipantId, type TopicId } from '../core/ids.ts'
import { prepared } from '../db/prepared.ts'
import type { Db, Row } from '../db/tables.ts'
import type { WriteScope } from '../scope.ts'

/** What happened to which record. */
export interface Change {
  kind: ChangeKind
  record: number
  /** The topic of a comment, like or file. */
  parent?: TopicId
  /** The participant who did it, where one is named. */
  actor?: ParticipantId
}

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

const after = prepared((db, position: number, most: number) =>
  db.selectFrom('change').select(['id', 'kind', 'parent_id']).where('id', '>', position).orderBy('id').limit(most),
)

/** Changes after a position of the log, oldest first. */
export const changesAfter = (
  db: Db,
  position: number,
  most: number,
): Promise<Pick<Row<'change'>, 'id' | 'kind' | 'parent_id'>[]> => after(db, position, most)
