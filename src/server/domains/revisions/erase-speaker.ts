import type { SpeakerId } from '../../core/ids.ts'
import type { Db } from '../../storage/db/tables.ts'
import { withoutSpeaker } from '../program/erase-speaker.ts'
import { eventImageKeys, type StoredEvent } from '../program/stored-events.ts'
import { imageKeys, readState } from './states.ts'
import { changeStates, deleteRecordsOf, listEventsNaming, listStatesOf } from './store.ts'

/**
 * Deletes the former states of a speaker, and their id from those of events: an undo returns to these without them, as the
 * program is by now.
 * @returns the keys of images that states no longer have
 */
export async function eraseSpeakerFromStates(db: Db, id: SpeakerId): Promise<string[]> {
  const own = await listStatesOf(db, 'speaker', id)
  const keys = own.flatMap(({ before, after }) => [before, after].flatMap((state) => imageKeys('speaker', state)))
  await deleteRecordsOf(db, 'speaker', id)
  const rewrite = (state: string): string => {
    const event = readState<StoredEvent>(state)
    if (!event) return state
    const without = withoutSpeaker(event, id)
    const images = new Set(eventImageKeys(without))
    keys.push(...eventImageKeys(event).filter((key) => !images.has(key)))
    return JSON.stringify(without)
  }
  for (let after = 0; ; ) {
    const records = await listEventsNaming(db, id, after, batchSize)
    for (const record of records) await changeStates(db, record.id, rewrite(record.before), rewrite(record.after))
    after = records.at(-1)?.id ?? after
    if (records.length < batchSize) return keys
  }
}

/** Rows read per query. */
const batchSize = 200
