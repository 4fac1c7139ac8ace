import { Failure } from '../../core/failure.ts'
import type { Scope } from '../../scope.ts'
import type { RevisedKind } from '../revisions/states.ts'
import { findNewestRevisionOf, findNewestRevisions } from '../revisions/store.ts'

/**
 * Asserts that an editor has seen records as they are.
 * @param ids undefined for all of this kind
 * @param revision the newest that changed any of them, as the editor knows it
 * @param read what there is now, for the response
 * @throws Failure EVENT_CHANGED
 */
export async function assertSeen(
  { db }: Scope,
  kind: RevisedKind,
  ids: readonly number[] | undefined,
  revision: number,
  read: () => Promise<object>,
): Promise<void> {
  const newest = ids ? [...(await findNewestRevisions(db, kind, ids)).values()] : [await findNewestRevisionOf(db, kind)]
  if (Math.max(0, ...newest) !== revision) throw new Failure('EVENT_CHANGED', { current: await read() })
}
