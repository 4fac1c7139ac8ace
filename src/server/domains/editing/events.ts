import { maxFailedFields } from '../../../contract/failures.ts'
import type { Data } from '../../../contract/index.ts'
import { bodyField, Failure } from '../../core/failure.ts'
import type { EventId, RoomId, TrackId } from '../../core/ids.ts'
import { appendChange } from '../../log/changes/log.ts'
import type { HandlerInput } from '../../operation.ts'
import type { PreparationScope, RequestScope } from '../../scope.ts'
import type { Db } from '../../storage/db/tables.ts'
import { type EventPatch, isPublished, publishDrafts, saveDraft, withDraft } from '../program/drafts.ts'
import { addEvent, applyChanges } from '../program/events.ts'
import { sanitizeHtml } from '../program/html.ts'
import { findRecords } from '../program/records.ts'
import type { StoredEvent } from '../program/stored-events.ts'
import { recordRevision } from '../revisions/record-revision.ts'
import { findEditedEvent, getDraftEvent } from './draft.ts'
import { moveActivities, readSlot } from './event-times.ts'
import { toUndoable } from './publish.ts'
import { assertSeen } from './seen.ts'

type Members = Omit<HandlerInput<'updateEvent'>, 'id' | 'revision' | 'publish'>

/** Sanitizing may be slow, so it is done before the transaction. */
export async function prepareEvent(
  _: PreparationScope,
  { id, revision, publish = false, ...members }: HandlerInput<'updateEvent'>,
): Promise<(scope: RequestScope) => Promise<Data<'updateEvent'>>> {
  const values = toValues(members)
  return async (scope) => {
    const event = await findEditedEvent(scope.db, id)
    await assertSeen(scope, 'event', [id], revision, () => getDraftEvent(scope, id))
    await assertReferences(scope.db, values)
    const write = async () => {
      await saveDraft(scope, event, { ...values, ...readTimes(withDraft(event), members) })
      if (publish) await publishDrafts(scope, [await findEditedEvent(scope.db, id)])
      return id
    }
    const kind = publish ? 'publication' : 'edit'
    const made = await recordRevision(scope, { kind, command: 'updateEvent' }, [{ kind: 'event', id, write }])
    if (publish && made !== undefined) await appendChange(scope, { kind: 'program.published', record: made })
    return getDraftEvent(scope, id)
  }
}

/** Sanitizing may be slow, so it is done before the transaction. */
export async function prepareNewEvent(
  _: PreparationScope,
  { title, ...members }: HandlerInput<'createEvent'>,
): Promise<(scope: RequestScope) => Promise<Data<'createEvent'>>> {
  const { speakers = [], activities: __, ...values } = toValues(members)
  return async (scope) => {
    await assertReferences(scope.db, { ...values, speakers })
    const write = async () => {
      const slot = readSlot(members, undefined)
      const activities = moveActivities([], undefined, { title, ...slot })
      const event = { ...emptyEvent, title, ...values, ...slot, speakers, is_deleted: 1 }
      id = await addEvent(scope, event as Parameters<typeof addEvent>[1], activities)
      return id
    }
    let id = 0 as EventId
    await recordRevision(scope, { kind: 'edit', command: 'createEvent' }, [{ kind: 'event', id: undefined, write }])
    return getDraftEvent(scope, id)
  }
}

/** @throws Failure EVENT_NOT_FOUND, EVENT_CHANGED */
export async function deleteEvent(
  scope: RequestScope,
  { id, revision }: HandlerInput<'deleteEvent'>,
): Promise<Data<'deleteEvent'>> {
  const event = await findEditedEvent(scope.db, id)
  await assertSeen(scope, 'event', [id], revision, () => getDraftEvent(scope, id))
  const write = async () => {
    if (isPublished(event)) await saveDraft(scope, event, { is_deleted: 1 })
    else await applyChanges(scope, id, { deleted_at: scope.now })
    return id
  }
  const made = await recordRevision(scope, { kind: 'edit', command: 'deleteEvent' }, [{ kind: 'event', id, write }])
  return toUndoable(made)
}

const emptyEvent = { room_id: null, track_id: null, date_from: null, date_to: null }

/** The values of columns for members that are not times. */
function toValues(members: Partial<Members>): EventPatch {
  const { title, subtitle, description, details, room_id, track_id, speaker_ids } = members
  const { type, language, tags, links, license, do_not_record, is_cancelled } = members
  const values = {
    title,
    subtitle,
    description: description === undefined ? undefined : sanitizeHtml(description),
    details: details === undefined ? undefined : sanitizeHtml(details),
    room_id: orNull<RoomId>(room_id),
    track_id: orNull<TrackId>(track_id),
    speakers: speaker_ids && [...new Set(speaker_ids)],
    type,
    language,
    tags: tags && JSON.stringify(tags),
    links: links && JSON.stringify(links),
    license,
    do_not_record: toNumber(do_not_record),
    is_cancelled: toNumber(is_cancelled),
  }
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as EventPatch
}

/** @param id 0 for none */
const orNull = <I extends number>(id: number | undefined) => (id === 0 ? null : (id as I | undefined))

const toNumber = (flag: boolean | undefined) => (flag === undefined ? undefined : Number(flag))

/** The times of an event after an edit, and with them those of its activities, which move with it. */
function readTimes(event: StoredEvent, members: Partial<Members>): EventPatch {
  const slot = readSlot(members, event.row)
  const title = members.title ?? event.row.title
  return { ...slot, activities: moveActivities(event.activities, event.row, { title, ...slot }) }
}

/** @throws Failure ROOM_NOT_FOUND, TRACK_NOT_FOUND or SPEAKER_NOT_FOUND, with a field for each that is not found */
async function assertReferences(db: Db, { room_id, track_id, speakers = [] }: EventPatch): Promise<void> {
  const findMissing = async (kind: 'room' | 'track' | 'speaker', member: string, ids: readonly number[]) => {
    const found = new Set((await findRecords(db, kind, ids)).map(({ id }): number => id))
    const missing = ids.filter((id) => !found.has(id))
    const reason = `${kind.toUpperCase() as Uppercase<typeof kind>}_NOT_FOUND` as const
    return missing.map((id) => ({ reason, field: bodyField(member, 'UNKNOWN', `There is no ${kind} ${id}.`) }))
  }
  const missing = [
    ...(await findMissing('room', 'room_id', room_id ? [room_id] : [])),
    ...(await findMissing('track', 'track_id', track_id ? [track_id] : [])),
    ...(await findMissing('speaker', 'speaker_ids', speakers)),
  ]
  const [first] = missing
  if (first) throw new Failure(first.reason, { fields: missing.slice(0, maxFailedFields).map(({ field }) => field) })
}
