import { auditColumns, exportedList } from '../db/exported-list.ts'
import { activitiesAfter, eventsAfter } from './export-store.ts'

/** The schedule of an event is a list of its own, so that it is the same in every format. */
export const programExport = {
  events: exportedList(
    [
      ...(['id', 'source', 'source_key', 'title', 'date_from', 'date_to', 'program_date', 'program_time'] as const),
      ...(['location_name', 'location_address', 'venue', 'speaker', 'position', 'company'] as const),
      ...(['description', 'details', 'banner', 'photo', 'is_cancelled'] as const),
      ...(['is_posted', 'posted_at', 'posted_by', ...auditColumns] as const),
    ],
    eventsAfter,
  ),
  activities: exportedList(['id', 'event_id', 'date', 'time', 'title'], activitiesAfter),
}
