import type { Data } from '../../../contract/index.ts'
import type { Event, EventDetails, ProgramDay } from '../../../contract/program.ts'
import type { Config } from '../../config/config.ts'
import type { EventId } from '../../core/ids.ts'
import type { PageParams } from '../../core/paging.ts'
import type { Scope } from '../../scope.ts'
import type { Row } from '../../storage/db/tables.ts'
import { subtitleHtml } from './html.ts'
import { type Activity, findActivities, getEventRow, type ListedEvent, pageOfEvents } from './store.ts'

/** In the order of the program. */
export async function listEvents(scope: Scope, page: PageParams): Promise<Data<'listEvents'>> {
  const rows = await pageOfEvents(scope.db, page)
  const activities = await findActivities(
    scope.db,
    rows.map((row) => row.id),
  )
  const activitiesOf = Map.groupBy(activities, (activity) => activity.event_id)
  return { events: rows.map((row) => toEvent(row, activitiesOf.get(row.id) ?? [], scope)) }
}

/** @throws Failure EVENT_NOT_FOUND */
export async function getEvent(scope: Scope, id: EventId): Promise<Data<'getEvent'>> {
  return { programs: toEventDetails(await getEventRow(scope.db, id), scope) }
}

/** The contract has no member for cancellation, so the title, which every client shows, says so. */
const shownTitle = (row: Pick<Row<'event'>, 'title' | 'is_cancelled'>): string =>
  row.is_cancelled ? `Cancelled: ${row.title}` : row.title

const toEvent = (row: ListedEvent, activities: Activity[], scope: Scope): Event => ({
  id: String(row.id),
  title: shownTitle(row),
  imageUrl: scope.links.banner(row.id),
  date: { date_from: row.date_from, date_to: row.date_to },
  location: { name: row.location_name, address: row.location_address },
  program: toProgramDays(activities, scope),
})

const toProgramDays = (activities: Activity[], scope: Scope): ProgramDay[] =>
  [...Map.groupBy(activities, (activity) => activity.date)].map(([date, ofDay]) => ({
    date,
    dayOfWeek: dayOfWeek(date, scope.dayOfWeek),
    activities: ofDay.map(({ title, time }) => ({ title, time })),
  }))

const toEventDetails = (row: Row<'event'>, { timestamp }: Scope): EventDetails => ({
  id: String(row.id),
  title: shownTitle(row),
  banner: row.banner,
  program_date: row.program_date || '0000-00-00',
  program_time: row.program_time || '00:00:00',
  location: row.location_name,
  speaker: row.speaker,
  position: row.position,
  company: row.company,
  photo: row.photo,
  description: subtitleHtml(row.subtitle) + row.description,
  details: row.details,
  venue: row.venue,
  created_at: timestamp(row.created_at),
  modified_at: timestamp(row.modified_at),
  deleted_at: timestamp(row.deleted_at),
  posted_at: timestamp(row.posted_at),
  created_by: String(row.created_by),
  modified_by: String(row.modified_by),
  deleted_by: String(row.deleted_by),
  posted_by: String(row.posted_by),
  is_deleted: String(row.is_deleted),
  is_posted: String(row.is_posted),
})

/**
 * The day of the week in the configured convention.
 * @param date `YYYY-MM-DD`
 * @returns one digit: ISO 8601 Monday 1 … Sunday 7; MySQL's DAYOFWEEK Sunday 1 … Saturday 7; JavaScript Sunday 0 … 6
 */
export function dayOfWeek(date: string, convention: Config['dayOfWeek']): string {
  const fromSunday = new Date(`${date}T00:00:00Z`).getUTCDay()
  return String({ iso: fromSunday || 7, mysql: fromSunday + 1, js: fromSunday }[convention])
}
