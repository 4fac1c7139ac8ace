import Type, { type Static, type TSchema } from 'typebox'
import { accessModes } from './access.ts'
import { Timestamp } from './envelope.ts'
import { operation, record } from './operation.ts'
import { CalendarDate } from './program.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description, examples: [0] })
const flag = (description: string) => Type.Boolean({ description })
const orNull = <S extends TSchema>(schema: S, description: string) => Type.Union([schema, Type.Null()], { description })

/** The state of a summit before it begins. The program is as editors see it. */
export const Overview = record({
  conference: record({
    title: Type.String(),
    first_day: orNull(CalendarDate, 'As set, otherwise the first day of an event.'),
    last_day: orNull(CalendarDate, 'Likewise, the last.'),
    has_days: flag('Whether both were set.'),
    time_zone: Type.String({ description: 'The IANA name of the zone of all times.', examples: ['Europe/Berlin'] }),
    has_time_zone: flag('Whether it was set; otherwise it is that of the settings.'),
  }),
  program: record({
    events: count('The events, without those that the next publication removes.'),
    published: count('The events that attendees see.'),
    new: count('The events that attendees do not see yet.'),
    changed: count('The published events of which a change is not published.'),
    removed: count('The published events that the next publication removes.'),
    cancelled: count('The events that are cancelled.'),
    without_time: count('The events that have no time, and are not cancelled.'),
    without_room: count('The events that have no room, and are not cancelled.'),
    clashes: count('The pairs of events that share a room or a speaker, at most 1,000.'),
    rooms: count('The rooms.'),
    rooms_without_name: count('The rooms of which only the building or the address is known.'),
    tracks: count('The tracks.'),
    speakers: count('The speakers.'),
    linked_photos: count('The speakers whose photo is a link to another site.'),
  }),
  participants: count('The participants.'),
  mail: record({
    can_send: flag('Whether the server sends mail.'),
    signs_in_participants: flag('Whether participants sign in with codes by mail.'),
  }),
  access: record({
    mode: Type.Enum([...accessModes]),
    public_url: orNull(Type.String(), 'The base URL of the settings.'),
    is_encrypted: flag('Whether that is https.'),
    is_local: flag('Whether only the machine of the server reaches it.'),
  }),
  backup: record({
    has_location: flag('Whether the settings name a location of backups.'),
    every_minutes: orNull(Type.Integer({ minimum: 1 }), 'How often the server makes a backup.'),
    newest: orNull(
      record({
        made_at: Timestamp,
        verified_at: Timestamp,
        bytes: Type.Integer({ minimum: 0, description: 'With its files.' }),
      }),
      'The newest verified backup; null if none is known.',
    ),
    is_late: orNull(Type.Boolean(), 'Whether the next one is more than two hours overdue; null if that is not known.'),
  }),
})
export type Overview = Static<typeof Overview>

export const overview = {
  readOverview: operation({
    method: 'GET',
    path: '/api/overview',
    tag: 'Organizers',
    summary: 'Read whether the summit is ready',
    access: { organizers: 'any' },
    params: record({}),
    data: record({ overview: Overview }),
    fails: [],
  }),
}
