import type { ChangeKind } from '../../contract/changes.ts'
import type { Scope } from '../scope.ts'

/** What happened to which record. */
export interface Change {
  kind: ChangeKind
  record: number
  /** The topic of a comment, like or file. */
  parent?: number
  /** The participant who did it, where one is named. */
  actor?: number | undefined
}

/** Appends to the log, in the transaction of the write itself: there is no write without its row, and no row without its write. */
export async function appendChange(scope: Scope, { kind, record, parent = 0, actor = 0 }: Change): Promise<void> {
  await scope.db
    .insertInto('change')
    .values({
      at: scope.now,
      kind,
      record_id: record,
      parent_id: parent,
      actor_id: actor,
      request_id: scope.requestId,
    })
    .execute()
}
