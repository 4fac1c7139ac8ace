import Type, { type Static, type TSchema } from 'typebox'
import { Id, operation, record, Text } from './operation.ts'
import { CalendarDate, TimeOfDay } from './program.ts'
import { WireId } from './records.ts'

// Additions to the interface specification: the program as apps show it. A text that is not known is empty, anything
// else is null.

const text = (description: string) => Type.String({ description })
const orNull = <S extends TSchema>(schema: S, description: string) => Type.Union([schema, Type.Null()], { description })
const time = (description: string) =>
  orNull(Type.String({ format: 'date-time', examples: ['2030-05-02T09:00:00+02:00'] }), description)
const guid = text('A UUID, the same after another import.')

/** The conference as a whole. */
export const Conference = record({
  title: Type.String(),
  acronym: Type.String(),
  url: Type.String(),
  time_zone: Type.String({ description: 'The IANA name of the zone of all times.', examples: ['Europe/Berlin'] }),
  first_day: orNull(CalendarDate, 'As imported, otherwise the first day of an event.'),
  last_day: orNull(CalendarDate, 'Likewise, the last.'),
  slot_minutes: orNull(Type.Integer({ minimum: 1 }), 'The steps of a timetable.'),
  hue: orNull(Type.Integer({ minimum: 0, maximum: 359 }), 'Of its accent colour, in degrees.'),
  logo_url: orNull(Type.String(), 'The URL of its logo, an image on this server.'),
})
export type Conference = Static<typeof Conference>

/** A day of the conference with events or activities. */
export const ScheduleDay = record({
  date: CalendarDate,
  starts_at: time('When its first event starts.'),
  ends_at: time('When its last event ends, often after midnight; events that have activities do not count.'),
})
export type ScheduleDay = Static<typeof ScheduleDay>

export const Room = record({
  id: WireId,
  guid,
  name: Type.String(),
  building: Type.String(),
  address: Type.String(),
  capacity: orNull(Type.Integer({ minimum: 1 }), 'How many people it holds.'),
  description: text('Plain text.'),
})
export type Room = Static<typeof Room>

export const Track = record({
  id: WireId,
  name: Type.String(),
  color: Type.String({ pattern: '^(#[0-9a-f]{6})?$', examples: ['#0b57d0'] }),
})
export type Track = Static<typeof Track>

/** A speaker of at least one event. */
export const Speaker = record({
  id: WireId,
  guid,
  name: text('May be several people, if the source does not tell them apart.'),
  position: Type.String(),
  company: Type.String(),
  photo_url: orNull(Type.String(), 'The URL of the photo, which may be on any server.'),
  links: Type.Optional(
    Type.Array(record({ title: Type.String(), url: Type.String() }), {
      description: 'Absent in a schedule without texts.',
    }),
  ),
  biography: Type.Optional(text('An HTML fragment, sanitized. Likewise.')),
})
export type Speaker = Static<typeof Speaker>

/** The members of an event, without its references. */
const ownMembers = {
  id: WireId,
  guid,
  title: text('Without “Cancelled: ”.'),
  subtitle: Type.String(),
  is_cancelled: Type.Boolean(),
  day: orNull(CalendarDate, 'The day of the conference: after midnight, it may be the day before the date.'),
  starts_at: time('In the zone of the conference.'),
  ends_at: time('Likewise; the same as `starts_at` if the source of the program does not say when it ends.'),
  type: Type.String({ examples: ['Workshop'] }),
  language: Type.String({ description: 'A language tag (BCP 47), or several, joined by `, `.', examples: ['de-CH'] }),
  tags: Type.Array(Type.String()),
  banner_url: orNull(Type.String(), 'The URL of the banner, an image on this server.'),
  photo_url: orNull(Type.String(), 'Likewise, of the photo of its speakers.'),
  code: text('A short name that the source of the program gives it.'),
  slug: text('Likewise, as part of a URL.'),
  license: text('The license of recordings.'),
  do_not_record: Type.Boolean(),
  activities: Type.Array(record({ day: CalendarDate, time: TimeOfDay, title: Type.String() }), {
    description:
      'The parts of an event that has several, also on several days. Those after midnight may be of the day before.',
  }),
}

const html = text('An HTML fragment, sanitized.')

const EventLinks = Type.Array(record({ rel: text('Such as `feedback`.'), title: Type.String(), url: Type.String() }))

/** An event, with the ids of what it refers to. */
export const ScheduleEvent = record({
  ...ownMembers,
  room_id: orNull(WireId, 'Its room.'),
  track_id: orNull(WireId, 'Its track.'),
  speaker_ids: Type.Array(WireId, { description: 'Its speakers, in order.' }),
  description: Type.Optional(text('An HTML fragment, sanitized. Absent in a schedule without texts.')),
  details: Type.Optional(text('Likewise.')),
  links: Type.Optional(EventLinks),
})
export type ScheduleEvent = Static<typeof ScheduleEvent>

/** An event with what it refers to. */
export const ScheduleEventDetails = record({
  ...ownMembers,
  room: Type.Union([Room, Type.Null()]),
  track: Type.Union([Track, Type.Null()]),
  speakers: Type.Array(Speaker),
  description: html,
  details: html,
  links: EventLinks,
})
export type ScheduleEventDetails = Static<typeof ScheduleEventDetails>

/** The program in one document. */
export const Schedule = record({
  conference: Conference,
  days: Type.Array(ScheduleDay, { description: 'In order.' }),
  rooms: Type.Array(Room, { description: 'Those of these events, in the order in which the organizers list them.' }),
  tracks: Type.Array(Track, { description: 'Likewise.' }),
  speakers: Type.Array(Speaker, { description: 'The speakers of these events, in no particular order.' }),
  events: Type.Array(ScheduleEvent, { description: 'In the order of the program; those without a time come last.' }),
})
export type Schedule = Static<typeof Schedule>

/** The most events that a search finds. */
export const maxFoundEvents = 100

export const schedule = {
  getSchedule: operation({
    method: 'GET',
    path: '/api/program/schedule',
    tag: 'Program',
    summary: 'Read the whole program',
    description: 'Conference, days, rooms, tracks, speakers and events in one document.',
    access: { readers: 'anyone' },
    params: record({}),
    query: Type.Partial(
      record({
        texts: Type.Boolean({ description: 'Whether to include descriptions, details, biographies and links.' }),
      }),
      { additionalProperties: false },
    ),
    data: record({ schedule: Schedule }),
    fails: [],
  }),
  getScheduleEvent: operation({
    method: 'GET',
    path: '/api/program/schedule/events/{id}',
    tag: 'Program',
    summary: 'Read an event with its room, track, speakers and texts',
    access: { readers: 'anyone' },
    params: record({ id: Id('event', 'The event.') }),
    data: record({ event: ScheduleEventDetails }),
    fails: ['EVENT_NOT_FOUND'],
  }),
  searchProgram: operation({
    method: 'GET',
    path: '/api/program/search',
    tag: 'Program',
    summary: 'Find events by words',
    description:
      `At most ${maxFoundEvents} events in which every word is found, the best first. A word may be a part of one, without regard to ` +
      'case and accents. It counts most in a title, then in the name of a speaker, then in other texts.',
    access: { readers: 'anyone' },
    uncached: true,
    params: record({}),
    query: record({
      q: Text({ limit: 'text', description: 'The words.', required: true, examples: ['opening ceremony'] }),
    }),
    data: record({
      events: Type.Array(ScheduleEvent, {
        maxItems: maxFoundEvents,
        description: 'As in a schedule without texts; equally good ones in the order of the program.',
      }),
    }),
    fails: [],
  }),
  readLogo: operation({
    method: 'GET',
    path: '/api/program/conference/logo/{file_name}',
    tag: 'Program',
    summary: 'The logo of the conference',
    description: 'Returns an image, with `ETag` and `Range`. `logo_url` points here.',
    access: { readers: 'anyone' },
    params: record({
      file_name: Type.String({ format: 'text', description: 'The file name in `logo_url`.', examples: ['logo.png'] }),
    }),
    fails: ['FILE_NOT_FOUND'],
  }),
  readSpeakerPhoto: operation({
    method: 'GET',
    path: '/api/program/speakers/{id}/photo',
    tag: 'Program',
    summary: 'The photo of a speaker',
    description: 'Returns an image, with `ETag`: a generated one if the speaker has no photo on this server.',
    access: { readers: 'anyone' },
    params: record({ id: Id('speaker', 'The speaker.') }),
    fails: ['SPEAKER_NOT_FOUND'],
  }),
}
