import { sql } from 'kysely'
import { Failure } from '../../core/failure.ts'
import type { EventId } from '../../core/ids.ts'
import type { PageParams } from '../../core/paging.ts'
import { inChunks, insertChunks } from '../../storage/db/in-chunks.ts'
import { prepared } from '../../storage/db/prepared.ts'
import type { Db, NewRow, Row } from '../../storage/db/tables.ts'

const listedColumns = [
  'id',
  'title',
  'is_cancelled',
  'date_from',
  'date_to',
  'location_name',
  'location_address',
] as const

/** An event as shown in the list. */
export type ListedEvent = Pick<Row<'event'>, (typeof listedColumns)[number]>

/** The first part of the order of the program. */
export const undatedLast = sql`(case when date_from is null then 1 else 0 end)`

const eventsInOrder = prepared((db, limit: number, offset: number) => {
  const inOrder = db.selectFrom('event').orderBy(undatedLast).orderBy('date_from').orderBy('id')
  return inOrder
    .select(listedColumns)
    .where('id', 'in', inOrder.select('id').where('is_deleted', '=', 0).limit(limit).offset(offset))
})

/**
 * A page of events in the order of the program; events without a date come last. Matches the index `event_in_order`.
 */
export const pageOfEvents = (db: Db, page: PageParams): Promise<ListedEvent[]> =>
  eventsInOrder(db, page.limit, page.offset)

const byId = prepared((db, id: EventId) =>
  db.selectFrom('event').selectAll().where('id', '=', id).where('is_deleted', '=', 0),
)

/** @throws Failure EVENT_NOT_FOUND also if it is deleted */
export async function getEventRow(db: Db, id: EventId): Promise<Row<'event'>> {
  const [row] = await byId(db, id)
  if (!row) throw new Failure('EVENT_NOT_FOUND')
  return row
}

const activitiesOfEvents = prepared((db, eventIds: EventId[]) =>
  db
    .selectFrom('activity')
    .select(['event_id', 'date', 'time', 'title'])
    .where('event_id', 'in', eventIds)
    .orderBy('event_id')
    .orderBy('date')
    .orderBy('id'),
)

/** The activities of these events, by day; within a day in the order of insertion. */
export const findActivities = (db: Db, eventIds: EventId[]) =>
  eventIds.length === 0 ? Promise.resolve([]) : activitiesOfEvents(db, eventIds)

const eventByGuid = prepared((db, guid: string) => db.selectFrom('event').select('id').where('guid', '=', guid))

/** Whether an event, which may be deleted, has this UUID. */
export const hasGuid = async (db: Db, guid: string): Promise<boolean> => (await eventByGuid(db, guid)).length > 0

/** What tells an event from all others. */
export type EventIdentity = Pick<Row<'event'>, 'id' | 'guid' | 'source' | 'source_key'>

/** The stored events, deleted ones included, that have the UUID of any of these, or a key of theirs in the source. */
export async function listIdentities(db: Db, events: readonly EventIdentity[]): Promise<EventIdentity[]> {
  const identities = db.selectFrom('event').select(['id', 'guid', 'source', 'source_key'])
  const found = await inChunks(
    events.map(({ guid }) => guid),
    (guids) => identities.where('guid', 'in', guids).execute(),
  )
  // As the condition of the index.
  const imported = identities.where('source_key', '<>', sql.lit(''))
  for (const [source, ofSource] of Map.groupBy(events, (event) => event.source)) {
    const keys = ofSource.flatMap(({ source_key }) => source_key || [])
    const ofKey = imported.where('source', '=', source)
    found.push(...(await inChunks(keys, (some) => ofKey.where('source_key', 'in', some).execute())))
  }
  return found
}

export async function insertEvent(db: Db, event: NewRow<'event'>): Promise<EventId> {
  const { id } = await db.insertInto('event').values(event).returning('id').executeTakeFirstOrThrow()
  return id
}

/** The values of an event that can be changed. */
export type EventValues = Omit<Row<'event'>, 'id' | 'created_at' | 'created_by' | 'sequence'>

/** Changes what is published of an event, for which its sequence rises. */
export async function changeEvent(db: Db, id: EventId, values: Partial<EventValues>): Promise<void> {
  const update = db.updateTable('event').set((row) => ({ ...values, sequence: row('sequence', '+', 1) }))
  await update.where('id', '=', id).execute()
}

/** Likewise of many events, with one statement for all that have the same columns, as other writes wait meanwhile. */
export async function changeEvents(db: Db, changes: ReadonlyMap<EventId, Partial<EventValues>>): Promise<void> {
  const alike = Map.groupBy(changes, ([, values]) => Object.keys(values).sort().join())
  for (const [names, group] of alike) {
    const columns = names.split(',') as (keyof EventValues)[]
    const set = columns.map((column) => sql`${sql.ref(column)} = ${sql.ref(`changed.${column}`)}`)
    const rows = group.map(([id, values]) => ({ id, ...values }))
    for (const some of insertChunks(rows)) {
      // An engine may take a parameter for text where nothing says what it is.
      const toRow = (row: Partial<EventValues> & { id: EventId }) =>
        sql`(cast(${row.id} as bigint), ${sql.join(
          columns.map((column) => sql`cast(${row[column]} as ${numeric.has(column) ? sql`bigint` : sql`text`})`),
        )})`
      await sql`
        with changed (id, ${sql.join(columns.map((column) => sql.ref(column)))}) as (values ${sql.join(some.map(toRow))})
        update event set sequence = event.sequence + 1, ${sql.join(set)} from changed where event.id = changed.id`.execute(
        db,
      )
    }
  }
}

/** The columns of an event that have numbers. */
const numeric: ReadonlySet<keyof EventValues> = new Set([
  ...(['room_id', 'track_id', 'do_not_record', 'is_cancelled', 'is_posted', 'posted_at', 'posted_by'] as const),
  ...(['modified_at', 'modified_by', 'is_deleted', 'deleted_at', 'deleted_by'] as const),
] satisfies NumericColumn[])

type NumericColumn = {
  [C in keyof EventValues]: NonNullable<EventValues[C]> extends number ? C : never
}[keyof EventValues]

/** For a change of what is shown with events, beside their columns. */
export async function raiseSequences(db: Db, ids: EventId[]): Promise<void> {
  await inChunks(ids, (some) =>
    db
      .updateTable('event')
      .set((row) => ({ sequence: row('sequence', '+', 1) }))
      .where('id', 'in', some)
      .returning('id')
      .execute(),
  )
}

/** @param draft '' for none */
export async function changeDraft(db: Db, id: EventId, draft: string): Promise<void> {
  await db.updateTable('event').set({ draft }).where('id', '=', id).execute()
}

export type Activity = Pick<Row<'activity'>, 'date' | 'time' | 'title'>

/** The titles of the activities of events, by event; without the events that have a single one. */
export async function listActivityTitles(db: Db): Promise<Map<EventId, string[]>> {
  const activities = await db.selectFrom('activity').select(['event_id', 'title']).orderBy('id').execute()
  const byEvent = Map.groupBy(activities, ({ event_id }) => event_id)
  return new Map([...byEvent].flatMap(([id, rows]) => (rows.length > 1 ? [[id, rows.map(({ title }) => title)]] : [])))
}

/** Replaces all activities of an event. The order within a day is preserved. */
export const replaceActivities = (db: Db, eventId: EventId, activities: readonly Activity[]): Promise<void> =>
  replaceAllActivities(db, new Map([[eventId, activities]]))

/** Replaces all activities of events, likewise. */
export async function replaceAllActivities(
  db: Db,
  activitiesOf: ReadonlyMap<EventId, readonly Activity[]>,
): Promise<void> {
  await inChunks([...activitiesOf.keys()], (ids) => db.deleteFrom('activity').where('event_id', 'in', ids).execute())
  const rows = [...activitiesOf].flatMap(([event_id, activities]) =>
    activities.map(({ date, time, title }) => ({ event_id, date, time, title })),
  )
  for (const some of insertChunks(rows)) await db.insertInto('activity').values(some).execute()
}

/** Events with a banner or photo after an id, including deleted ones. */
export async function listEventsWithPicturesAfter(db: Db, after: number, limit: number) {
  return db
    .selectFrom('event')
    .select(['id', 'title', 'banner', 'photo'])
    .where('id', '>', after as EventId)
    .where((where) => where.or([where('banner', '<>', ''), where('photo', '<>', '')]))
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** The last day with an activity, `YYYY-MM-DD`. */
export async function findLastDay(db: Db): Promise<string | undefined> {
  // The engines use an index for the order, and not for `max` of a join.
  const last = await db
    .selectFrom('activity')
    .innerJoin('event', 'event.id', 'activity.event_id')
    .select('activity.date')
    .where('event.is_deleted', '=', 0)
    .orderBy('activity.date', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.date
}

export async function countEvents(db: Db): Promise<number> {
  const { events } = await db
    .selectFrom('event')
    .select(({ fn }) => fn.countAll<number>().as('events'))
    .where('is_deleted', '=', 0)
    .executeTakeFirstOrThrow()
  return Number(events)
}

/** The number of `listStoredPictures`. */
export async function countStoredPictures(db: Db): Promise<number> {
  const { banners, photos } = await db
    .selectFrom('event')
    .select(({ fn, val }) => [
      fn.count<number>(fn('nullif', ['banner', val('')])).as('banners'),
      fn.count<number>(fn('nullif', ['photo', val('')])).as('photos'),
    ])
    .executeTakeFirstOrThrow()
  return Number(banners) + Number(photos)
}

/** Returns the banner and photo keys of events that refer to any of these keys, including deleted events. */
export async function findEventBlobs(db: Db, keys: string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('event')
    .select(['banner', 'photo'])
    .where((where) => where.or([where('banner', 'in', keys), where('photo', 'in', keys)]))
    .execute()
  return rows.flatMap((row) => [row.banner, row.photo])
}

/** The newest event with a banner or photo, including deleted ones. */
export const findNewestWithPicture = (db: Db): Promise<Pick<Row<'event'>, 'banner' | 'photo'> | undefined> =>
  db
    .selectFrom('event')
    .select(['banner', 'photo'])
    .where((where) => where.or([where('banner', '<>', ''), where('photo', '<>', '')]))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** All events that editors see, whether published or not, ordered by id. */
export const listEditedEvents = (db: Db): Promise<Row<'event'>[]> =>
  db.selectFrom('event').selectAll().where('deleted_at', '=', 0).orderBy('id').execute()

/** The events of which editors have changed something that is not published. */
export const listDrafts = (db: Db): Promise<Pick<Row<'event'>, 'id' | 'draft'>[]> =>
  db.selectFrom('event').select(['id', 'draft']).where('draft', '<>', '').orderBy('id').execute()

/** These events, deleted ones included, ordered by id. */
export const findEventRows = (db: Db, ids: EventId[]): Promise<Row<'event'>[]> =>
  db.selectFrom('event').selectAll().where('id', 'in', ids).orderBy('id').execute()

/** The activities of the event must have been deleted. */
export async function deleteEvent(db: Db, id: EventId): Promise<void> {
  await db.deleteFrom('event').where('id', '=', id).execute()
}

export async function eventsAfter(db: Db, columns: readonly (keyof Row<'event'>)[], after: EventId, limit: number) {
  const notDeleted = db.selectFrom('event').select(columns).where('is_deleted', '=', 0)
  return notDeleted.where('id', '>', after).orderBy('id').limit(limit).execute()
}

/** Excludes activities of deleted events. */
export async function activitiesAfter(
  db: Db,
  columns: readonly (keyof Row<'activity'>)[],
  after: number,
  limit: number,
) {
  return db
    .selectFrom('activity')
    .innerJoin('event', 'event.id', 'activity.event_id')
    .select(columns.map((column) => `activity.${column}` as const))
    .where('event.is_deleted', '=', 0)
    .where('activity.id', '>', after)
    .orderBy('activity.id')
    .limit(limit)
    .execute()
}
