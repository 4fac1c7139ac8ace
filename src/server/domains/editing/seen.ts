import { Failure } from '../../core/failure.ts'
import type { Scope } from '../../scope.ts'
import type { RevisedKind } from '../revisions/states.ts'
import { findNewestRevisions } from '../revisions/store.ts'

/**
 * Asserts that an editor has seen records as they are.
 * @param revision the newest that changed any of them, as the editor knows it
 * @param read what there is now, for the response
 * @throws Failure EVENT_CHANGED
 */
export async function assertSeen(
  { db }: Scope,
  kind: RevisedKind,
  ids: readonly number[],
  revision: number,
  read: () => Promise<object>,
): Promise<void> {
  const newest = await findNewestRevisions(db, kind, ids)
  if (Math.max(0, ...newest.values()) !== revision) throw new Failure('EVENT_CHANGED', { current: await read() })
}
