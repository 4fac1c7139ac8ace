import { Failure } from '../../core/failure.ts'
import type { EventId } from '../../core/ids.ts'
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

/**
 * Asserts that an editor has seen events as they are. Others may have changed since.
 * @param revision the newest of all that the editor knows: later ones have larger numbers
 * @throws Failure EVENT_CHANGED
 */
export async function assertUnchanged(
  { db }: Scope,
  events: readonly { id: EventId }[],
  revision: number,
): Promise<void> {
  const ids = events.map(({ id }) => id)
  const newest = await findNewestRevisions(db, 'event', ids)
  if ([...newest.values()].some((each) => each > revision)) throw new Failure('EVENT_CHANGED')
}
