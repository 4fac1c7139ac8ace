import type { EventId, SpeakerId } from '../../core/ids.ts'
import { appendChange } from '../../log/changes/log.ts'
import type { WriteScope } from '../../scope.ts'
import type { Db } from '../../storage/db/tables.ts'
import { findDraftsWith, readPatch, toDraft } from './drafts.ts'
import { isSpeakerPhoto } from './pictures.ts'
import { projectSpeakers } from './projection.ts'
import { deleteRecord, findEventsWith, findPeople, findRecords, replaceSpeakers } from './record-store.ts'
import { changeDraft, changeEvent } from './store.ts'
import { loadEvents, type StoredEvent } from './stored-events.ts'

/** An event without a speaker, and without its photo if that was of nobody else. */
export function withoutSpeaker(event: StoredEvent, id: SpeakerId): StoredEvent {
  const speakers = event.speakers.filter((speaker) => speaker !== id)
  const isAlone = event.speakers.length === 1 && speakers.length === 0
  const without = { ...event, speakers, row: { ...event.row, ...(isAlone && { photo: '' }) } }
  const patch = readPatch(event.row.draft)
  if (patch.speakers?.includes(id)) {
    const ofDraft = patch.speakers.filter((speaker) => speaker !== id)
    without.row.draft = toDraft(without, { ...patch, speakers: ofDraft })
  }
  return without
}

/**
 * Deletes a speaker from the program for good: the record, and what events and drafts have of them.
 * @returns the keys of photos that no event or speaker has any more, and the events that were theirs
 */
export async function eraseSpeakerFromProgram(
  scope: WriteScope,
  id: SpeakerId,
): Promise<{ keys: string[]; events: EventId[] }> {
  const { db } = scope
  const [speaker] = await findRecords(db, 'speaker', [id])
  const keys = speaker && isSpeakerPhoto(speaker.photo) ? [speaker.photo] : []
  const references = [...(await findEventsWith(db, 'speaker', [id])), ...(await findDraftsWith(db, 'speaker', [id]))]
  const events = await loadEvents(db, [...new Set(references.map(({ event }) => event))])
  for (const event of events) {
    const without = withoutSpeaker(event, id)
    if (without.row.photo !== event.row.photo) keys.push(event.row.photo)
    await writeEvent(db, event, without)
  }
  await deleteRecord(db, 'speaker', id)
  await appendChange(scope, { kind: 'speaker.erased', record: id })
  return { keys, events: events.map(({ row }) => row.id) }
}

async function writeEvent(db: Db, before: StoredEvent, { row, speakers }: StoredEvent): Promise<void> {
  await changeDraft(db, row.id, row.draft)
  if (speakers.length === before.speakers.length) return
  await changeEvent(db, row.id, { photo: row.photo, ...projectSpeakers(await findPeople(db, speakers)) })
  await replaceSpeakers(db, row.id, speakers)
}
