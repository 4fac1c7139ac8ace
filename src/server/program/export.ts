import { auditColumns, exportedList } from '../db/exported-list.ts'
import { activitiesAfter, eventsAfter } from './export-store.ts'

/** Schedules are a separate list, so that they are the same in every format. */
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
