import Type, { type Static } from 'typebox'
import { Id, IdList, operation, Ref, record, Text } from './operation.ts'
import { WireId } from './records.ts'
import { ReleasedEvent } from './revisions.ts'
import { Conference, Room, ScheduleEvent, Speaker, Track } from './schedule.ts'

// Additions to the interface specification: the program as editors see and change it. What they change of an event is a
// draft until they publish it; rooms, tracks, speakers and the conference change at once.

/** Characters of a description or biography, in HTML. */
export const maxHtmlLength = 100_000

/** The most entries of a list in a request. */
export const maxEntries = 1_000

export const Revision = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, examples: [0] })

/** The revision that an edit was made from. */
export const seen = (what: string) => ({
  ...Revision,
  description: `The \`revision\` ${what} as it was read. If another has changed it since, the edit is refused.`,
})

export const line = (description: string, example: string) =>
  Text({ limit: 'text', oneLine: true, description, examples: [example] })

export const html = (description: string) =>
  Type.String({ format: 'text', maxLength: maxHtmlLength, description, examples: ['<p>All about knots.</p>'] })

const localTime = (description: string, example: string) =>
  Type.String({ format: 'local-time', description, examples: [example] })

/** The members of an event that editors write; those that are left out stay as they are. */
const eventMembers = {
  subtitle: Text({ limit: 'name', oneLine: true, description: 'One line.', examples: ['A hands-on hour'] }),
  description: html('What it is about, as HTML, which is sanitized.'),
  details: html('More of it. Likewise.'),
  starts_at: localTime('The time at the venue when it starts; empty for none.', '2030-05-02 09:00'),
  ends_at: localTime('Likewise, when it ends; by default, after as long as before.', '2030-05-02 10:00'),
  day: Type.String({
    format: 'local-day',
    description: 'The day of the conference, if it is not the date of the start: for what starts after midnight.',
    examples: ['2030-05-02'],
  }),
  room_id: Ref('room', 'Its room; 0 for none.'),
  track_id: Ref('track', 'Its track; 0 for none.'),
  speaker_ids: IdList('speaker', 100, 'Its speakers, in order.'),
  type: line('Such as Workshop.', 'Workshop'),
  language: line('A language tag (BCP 47), or several, joined by `, `.', 'en'),
  tags: Type.Array(Text({ limit: 'text', oneLine: true, description: 'A tag.', required: true }), {
    uniqueItems: true,
    maxItems: 50,
    description: 'In order.',
    examples: [['ropes']],
  }),
  links: Type.Array(
    record({
      rel: Text({ limit: 'text', oneLine: true, description: 'Such as `feedback`.' }),
      title: Text({ limit: 'text', oneLine: true, description: 'Its title.' }),
      url: Type.String({ format: 'link', minLength: 1, maxLength: 2_048 }),
    }),
    {
      maxItems: 50,
      description: 'In order.',
      examples: [[{ rel: '', title: 'Slides', url: 'https://summit.example/s' }]],
    },
  ),
  license: line('The license of recordings.', 'CC BY 4.0'),
  do_not_record: Type.Boolean({ description: 'Whether it must not be recorded.', examples: [false] }),
}

const title = Text({
  limit: 'name',
  oneLine: true,
  description: 'One line.',
  required: true,
  examples: ['Small boats'],
})

export const optional = <P extends Parameters<typeof record>[0]>(members: P) => Type.Partial(record(members)).properties

/** An event as editors see it: as it will be once its draft is published. */
export const DraftEvent = record({
  ...ScheduleEvent.properties,
  revision: Revision,
  is_published: Type.Boolean({ description: 'Whether attendees see it, as it is without `changes`.' }),
  is_deleted: Type.Boolean({ description: 'Whether its publication will remove it.' }),
  changes: Type.Array(Type.String(), { description: 'The members that its publication will change.' }),
})
export type DraftEvent = Static<typeof DraftEvent>

const withRevision = { revision: Revision }

export const DraftSpeaker = record({ ...Speaker.properties, ...withRevision })
export type DraftSpeaker = Static<typeof DraftSpeaker>

export const DraftConference = record({ ...Conference.properties, ...withRevision })
export const DraftRooms = record({ ...withRevision, list: Type.Array(Room) })
export const DraftTracks = record({ ...withRevision, list: Type.Array(Track) })

/** Two events that cannot both take place as planned, as they share a room or a speaker. */
export const Clash = record({
  kind: Type.Enum(['room', 'speaker']),
  id: WireId,
  event_ids: Type.Array(WireId, { minItems: 2, maxItems: 2 }),
})

/** The whole program as editors see it. */
export const Draft = record({
  conference: DraftConference,
  rooms: DraftRooms,
  tracks: DraftTracks,
  speakers: Type.Array(DraftSpeaker),
  events: Type.Array(DraftEvent, { description: 'In the order of the program; those without a time come last.' }),
  clashes: Type.Array(Clash),
})
export type Draft = Static<typeof Draft>

const event = record({ event: DraftEvent })

const someEvents = IdList('event', maxEntries, 'Only these; by default, all.')

const seenDraft = {
  ...Revision,
  description:
    'The newest `revision` of the draft as it was read. If one of these events was changed since, the request is refused; by ' +
    'default, it is not.',
}

const undoable = record({
  revision_id: Type.Union([WireId, Type.Null()], { description: 'With which it can be undone; null for nothing.' }),
})

export const editing = {
  getDraft: operation({
    method: 'GET',
    path: '/api/program/draft',
    tag: 'Editing',
    summary: 'Read the program with what is not published',
    access: { organizers: 'editor' },
    params: record({}),
    query: Type.Partial(
      record({
        texts: Type.Boolean({ description: 'Whether to include descriptions, details, biographies and links.' }),
      }),
      { additionalProperties: false },
    ),
    data: record({ draft: Draft }),
    fails: [],
  }),
  getDraftEvent: operation({
    method: 'GET',
    path: '/api/program/draft/events/{id}',
    tag: 'Editing',
    summary: 'Read an event with what is not published of it',
    access: { organizers: 'editor' },
    params: record({ id: Id('event', 'The event.') }),
    data: record({
      event: DraftEvent,
      published: Type.Union([ScheduleEvent, Type.Null()], { description: 'As attendees see it; null if they do not.' }),
    }),
    fails: ['EVENT_NOT_FOUND'],
  }),
  createEvent: operation({
    method: 'POST',
    path: '/api/program/draft/events',
    tag: 'Editing',
    summary: 'Create an event',
    description: 'Attendees see it once it is published.',
    access: { organizers: 'editor' },
    params: record({}),
    body: record({ title, ...optional(eventMembers) }),
    data: event,
    fails: ['ROOM_NOT_FOUND', 'TRACK_NOT_FOUND', 'SPEAKER_NOT_FOUND'],
  }),
  updateEvent: operation({
    method: 'PUT',
    path: '/api/program/draft/events/{id}',
    tag: 'Editing',
    summary: 'Change an event',
    description:
      'Members that are left out stay as they are. Attendees see the change once it is published, which `publish` does in ' +
      'the same step: both are done, and undone, or neither.',
    access: { organizers: 'editor' },
    params: record({ id: Id('event', 'The event.') }),
    body: record({
      revision: seen('of the event'),
      publish: Type.Optional(
        Type.Boolean({ description: 'Whether to publish the event at once, with all that is not published of it.' }),
      ),
      ...optional({
        title,
        ...eventMembers,
        is_cancelled: Type.Boolean({ description: 'Whether it is cancelled. It stays in the program, and says so.' }),
      }),
    }),
    data: event,
    fails: ['EVENT_NOT_FOUND', 'ROOM_NOT_FOUND', 'TRACK_NOT_FOUND', 'SPEAKER_NOT_FOUND', 'EVENT_CHANGED'],
  }),
  deleteEvent: operation({
    method: 'DELETE',
    path: '/api/program/draft/events/{id}/{revision}',
    tag: 'Editing',
    summary: 'Delete an event',
    description:
      'One that attendees see is removed once that is published; to tell them that it does not take place, cancel it ' +
      'instead.',
    access: { organizers: 'editor' },
    params: record({ id: Id('event', 'The event.'), revision: seen('of the event') }),
    data: undoable,
    fails: ['EVENT_NOT_FOUND', 'EVENT_CHANGED'],
  }),
  planPublication: operation({
    method: 'GET',
    path: '/api/program/draft/publish',
    tag: 'Editing',
    summary: 'See what attendees will read of a publication',
    description: 'Of all that is not published; of some events, they read what is listed of these.',
    access: { organizers: 'editor' },
    params: record({}),
    data: record({
      release: record({
        is_first: Type.Boolean({
          description: 'Whether no event is public yet. All of them are new then, and are not listed.',
        }),
        events: Type.Array(ReleasedEvent, { description: 'As the list of releases will show them.' }),
      }),
    }),
    fails: [],
  }),
  publish: operation({
    method: 'POST',
    path: '/api/program/draft/publish',
    tag: 'Editing',
    summary: 'Publish what editors have changed',
    description: 'Attendees see it at once, with release notes that say what is new, moved, cancelled or renamed.',
    access: { organizers: 'editor' },
    params: record({}),
    body: record({
      ...optional({
        revision: seenDraft,
        events: someEvents,
        note: Text({ limit: 'comment', description: 'What organizers say about it, as plain text.' }),
      }),
    }),
    data: undoable,
    fails: ['EVENT_NOT_FOUND', 'EVENT_CHANGED'],
  }),
  discardDraft: operation({
    method: 'POST',
    path: '/api/program/draft/discard',
    tag: 'Editing',
    summary: 'Discard what is not published',
    description: 'Of events that attendees see. Others stay as they are, and can be deleted.',
    access: { organizers: 'editor' },
    params: record({}),
    body: record({
      ...optional({
        revision: seenDraft,
        events: someEvents,
      }),
    }),
    data: undoable,
    fails: ['EVENT_NOT_FOUND', 'EVENT_CHANGED'],
  }),
}
