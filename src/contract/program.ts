import Type, { type Static } from 'typebox'
import { Timestamp } from './envelope.ts'
import { Id, operation, pageOf, record } from './operation.ts'
import { Actor, WireId } from './records.ts'

export const CalendarDate = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', examples: ['2026-05-04'] })
export const TimeOfDay = Type.String({ pattern: '^\\d{2}:\\d{2}:\\d{2}$', examples: ['09:30:00'] })
const Flag = Type.String({ pattern: '^[01]$' })

/** A day of an event's schedule. */
export const ProgramDay = record({
  date: CalendarDate,
  dayOfWeek: Type.String({ pattern: '^[0-7]$', description: 'ISO 8601: `1` is Monday (configurable).' }),
  activities: Type.Array(record({ title: Type.String(), time: TimeOfDay })),
})
export type ProgramDay = Static<typeof ProgramDay>

/** An event in the list. Its times are venue wall-clock times. */
export const Event = record({
  id: WireId,
  title: Type.String(),
  imageUrl: Type.String({ description: 'The URL of the banner.' }),
  date: record({
    date_from: Type.Union([Timestamp, Type.Null()]),
    date_to: Type.Union([Timestamp, Type.Null()]),
  }),
  location: record({ name: Type.String(), address: Type.String() }),
  program: Type.Array(ProgramDay),
})
export type Event = Static<typeof Event>

/** An event in detail. Without a schedule its date and time are all zeros. */
export const EventDetails = record({
  id: WireId,
  title: Type.String(),
  banner: Type.String(),
  program_date: CalendarDate,
  program_time: TimeOfDay,
  location: Type.String(),
  speaker: Type.String(),
  position: Type.String(),
  company: Type.String(),
  photo: Type.String(),
  description: Type.String({ description: 'An HTML fragment, sanitized.' }),
  details: Type.String({ description: 'An HTML fragment, sanitized.' }),
  venue: Type.String(),
  created_at: Timestamp,
  modified_at: Timestamp,
  deleted_at: Timestamp,
  posted_at: Timestamp,
  created_by: Actor,
  modified_by: Actor,
  deleted_by: Actor,
  posted_by: Actor,
  is_deleted: Flag,
  is_posted: Flag,
})
export type EventDetails = Static<typeof EventDetails>

export const program = {
  listEvents: operation({
    method: 'GET',
    path: '/api/program/list/{offset}/{limit}',
    tag: 'Program',
    summary: 'List events in the order of the program',
    access: { readers: 'anyone' },
    params: record(pageOf('event')),
    data: record({ events: Type.Array(Event) }),
    fails: [],
  }),
  getEvent: operation({
    method: 'GET',
    path: '/api/program/details/{id}',
    tag: 'Program',
    summary: 'Read an event',
    access: { readers: 'anyone' },
    params: record({ id: Id('event', 'The event.') }),
    data: record({ programs: EventDetails }),
    fails: ['EVENT_NOT_FOUND'],
  }),
  readBanner: operation({
    method: 'GET',
    path: '/api/program/banner/get/{id}',
    tag: 'Program',
    summary: "An event's banner",
    description: 'Returns an image, with `ETag`: a generated one if the event has no banner.',
    access: { readers: 'anyone' },
    params: record({ id: Id('event', 'The event.') }),
    fails: ['EVENT_NOT_FOUND'],
  }),
  readPhoto: operation({
    method: 'GET',
    path: '/api/program/photo/get/{id}',
    tag: 'Program',
    summary: "An event's speaker photo",
    description: 'Returns an image, with `ETag`: a generated one if the event has no photo.',
    access: { readers: 'anyone' },
    params: record({ id: Id('event', 'The event.') }),
    fails: ['EVENT_NOT_FOUND'],
  }),
}
