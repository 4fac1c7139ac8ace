import { auditColumns, exportedList } from '../../storage/db/exported-list.ts'
import { activitiesAfter, eventsAfter } from './store.ts'

/** Schedules are a separate list, so that they are the same in every format. */
export const programExport = {
  events: exportedList(
    {
      id: 'shown',
      source: 'shown',
      source_key: 'shown',
      title: 'shown',
      date_from: 'shown',
      date_to: 'shown',
      program_date: 'shown',
      program_time: 'shown',
      location_name: 'shown',
      location_address: 'shown',
      venue: 'shown',
      speaker: 'shown',
      position: 'shown',
      company: 'shown',
      description: 'shown',
      details: 'shown',
      banner: 'shown',
      photo: 'shown',
      is_cancelled: 'shown',
      is_posted: 'shown',
      posted_at: 'shown',
      posted_by: 'shown',
      ...auditColumns,
    },
    eventsAfter,
  ),
  activities: exportedList(
    { id: 'shown', event_id: 'shown', date: 'shown', time: 'shown', title: 'shown' },
    activitiesAfter,
  ),
}
