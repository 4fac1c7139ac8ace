import type { EventId } from '../../../core/ids.ts'
import type { Db } from '../../../storage/db/tables.ts'
import { listDraftedEvents } from '../../program/drafts.ts'
import { listActivityTitles, listAllEvents } from '../../program/events.ts'
import { findEditedSinceImport } from '../../revisions/store.ts'
import { loadParts, noParts, type StoredParts } from './program-parts-plan.ts'
import type { EventWithSpeakers } from './session-event.ts'

/** The program with which a file is compared. */
export interface StoredProgram {
  events: EventWithSpeakers[]
  parts: StoredParts
  /** The titles in the programmes of events. */
  activityTitles: ReadonlyMap<EventId, readonly string[]>
  /** Those that organizers have changed since they were last imported. */
  edited: ReadonlySet<EventId>
}

export const emptyProgram: StoredProgram = { events: [], parts: noParts, activityTitles: new Map(), edited: new Set() }

/** @param isDraft whether an import becomes a draft, so that its file is compared with what editors see */
export const listProgramEvents = (db: Db, isDraft: boolean): Promise<EventWithSpeakers[]> =>
  isDraft ? listDraftedEvents(db) : listAllEvents(db)

/** @param isDraft as in {@link listProgramEvents} */
export async function loadProgram(db: Db, isDraft: boolean): Promise<StoredProgram> {
  const events = await listProgramEvents(db, isDraft)
  return {
    events,
    parts: await loadParts(db),
    activityTitles: await listActivityTitles(db),
    edited: await findEditedSinceImport(
      db,
      events.map(({ id }) => id),
    ),
  }
}
