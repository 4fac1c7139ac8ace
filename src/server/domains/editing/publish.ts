import type { Data } from '../../../contract/index.ts'
import { Failure } from '../../core/failure.ts'
import type { EventId } from '../../core/ids.ts'
import { appendChange } from '../../log/changes/log.ts'
import type { HandlerInput } from '../../operation.ts'
import type { Scope, WriteScope } from '../../scope.ts'
import {
  discardPatch,
  isPublished,
  loadEditedEvents,
  planPublication as planStates,
  publishDrafts,
} from '../program/drafts.ts'
import { loadEvents, type StoredEvent } from '../program/stored-events.ts'
import { recordChanges } from '../revisions/record-revision.ts'
import { planRelease } from '../revisions/releases.ts'
import { toState } from '../revisions/states.ts'
import { assertUnchanged } from './seen.ts'

/** The release that publishing everything would make, as attendees will read it. */
export async function planPublication(scope: Scope): Promise<Data<'planPublication'>> {
  const before = (await findEvents(scope, undefined)).filter(isEdited)
  const after = await planStates(scope.db, before)
  return { release: await planRelease(scope, before, after) }
}

const isEdited = (event: StoredEvent): boolean => !isPublished(event) || event.row.draft !== ''

/**
 * Publishes what editors have changed.
 * @throws Failure EVENT_NOT_FOUND for one that is named; EVENT_CHANGED for one that was changed since it was read
 */
export async function publish(
  scope: WriteScope,
  { revision: seen, events: ids, note = '' }: HandlerInput<'publish'>,
): Promise<Data<'publish'>> {
  const drafts = (await findEvents(scope, ids)).filter(isEdited)
  const records = drafts.map(toTarget)
  if (seen !== undefined) await assertUnchanged(scope, records, seen)
  const revision = await recordChanges(
    scope,
    { kind: 'publication', command: 'publish', note },
    records,
    undefined,
    async () => {
      await publishDrafts(scope, drafts)
      return records
    },
  )
  if (revision !== undefined) await appendChange(scope, { kind: 'program.published', record: revision })
  return toUndoable(revision)
}

/**
 * Discards what editors have changed of published events.
 * @throws Failure EVENT_NOT_FOUND for one that is named; EVENT_CHANGED for one that was changed since it was read
 */
export async function discardDraft(
  scope: WriteScope,
  { revision: seen, events: ids }: HandlerInput<'discardDraft'>,
): Promise<Data<'discardDraft'>> {
  const drafts = (await findEvents(scope, ids)).filter((event) => isPublished(event) && event.row.draft !== '')
  const records = drafts.map(toTarget)
  if (seen !== undefined) await assertUnchanged(scope, records, seen)
  const revision = await recordChanges(
    scope,
    { kind: 'edit', command: 'discardDraft' },
    records,
    undefined,
    async () => {
      for (const event of drafts) await discardPatch(scope, event)
      return records
    },
  )
  return toUndoable(revision)
}

export const toUndoable = (revision: number | undefined): Data<'publish'> => ({
  revision_id: revision === undefined ? null : String(revision),
})

/** With its state, which is not loaded again: other writes wait meanwhile. */
const toTarget = (event: StoredEvent) => ({ kind: 'event' as const, id: event.row.id, state: toState(event) })

/** @param ids all if undefined @throws Failure EVENT_NOT_FOUND */
async function findEvents({ db }: Scope, ids: readonly EventId[] | undefined): Promise<StoredEvent[]> {
  if (!ids) return loadEditedEvents(db)
  const chosen = [...new Set(ids)]
  const events = (await loadEvents(db, chosen)).filter(({ row }) => row.deleted_at === 0)
  if (events.length < chosen.length) throw new Failure('EVENT_NOT_FOUND')
  return events
}
