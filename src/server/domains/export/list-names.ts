import type { RecordTable } from '../../storage/db/tables.ts'

/** The name of the list with the rows of each table of records, as the organizer types it. */
export const listNames = {
  participant: 'participants',
  topic: 'topics',
  comment: 'comments',
  topic_like: 'likes',
  file: 'files',
  conference: 'conference',
  room: 'rooms',
  track: 'tracks',
  speaker: 'speakers',
  event: 'events',
  event_speaker: 'event-speakers',
  activity: 'activities',
  star: 'stars',
  feedback: 'feedback',
} as const satisfies Record<RecordTable, string>

export const exportedListNames = Object.values(listNames)

export type ExportedListName = (typeof listNames)[RecordTable]
