import Type from 'typebox'
import {
  DraftConference,
  DraftEvent,
  DraftRooms,
  DraftSpeaker,
  DraftTracks,
  html,
  line,
  maxEntries,
  optional,
  seen,
} from './editing.ts'
import { Id, operation, record, Text } from './operation.ts'
import { photoMember } from './uploads.ts'

// The conference, rooms, tracks, speakers and pictures, as editors change them: at once, without a draft.

const name = (what: string, example: string) =>
  Text({ limit: 'text', oneLine: true, description: `The name of ${what}.`, required: true, examples: [example] })

const day = (description: string, example: string) =>
  Type.String({ format: 'local-day', description, examples: [example] })

const link = (description: string) =>
  Type.String({ format: 'link', maxLength: 2_048, description, examples: ['https://summit.example'] })

const conferenceMembers = {
  title: line('Its title.', 'Summit 2030'),
  acronym: line('Such as for file names.', 'summit30'),
  url: link('Its page; empty for none.'),
  time_zone: Type.String({
    format: 'zone',
    maxLength: 255,
    description: 'The IANA name of the zone of all times; empty for that of the settings.',
    examples: ['Europe/Berlin'],
  }),
  first_day: day('Its first day; empty for that of the first event.', '2030-05-01'),
  last_day: day('Likewise, its last.', '2030-05-03'),
  slot_minutes: Type.Integer({
    minimum: 0,
    maximum: 1_440,
    description: 'The steps of a timetable; 0 for none.',
    examples: [15],
  }),
  hue: Type.Integer({
    minimum: -1,
    maximum: 359,
    description: 'Of its accent colour, in degrees; -1 for that of Summit.',
    examples: [262],
  }),
}

const RoomEntry = record({
  id: Type.Optional(Id('room', 'The room, if it exists.')),
  name: name('the room', 'Hall 1'),
  ...optional({
    building: line('The building that it is in; empty for none.', 'Congress Center'),
    address: line('Where the building is.', '1 Congress Square'),
    capacity: Type.Integer({
      minimum: 0,
      maximum: 1_000_000,
      description: 'How many people it holds; 0 if it is not known.',
      examples: [300],
    }),
    description: Text({ limit: 'comment', description: 'Plain text.', examples: ['On the first floor.'] }),
  }),
})

const TrackEntry = record({
  id: Type.Optional(Id('track', 'The track, if it exists.')),
  name: name('the track', 'Hardware'),
  ...optional({
    color: Type.String({ format: 'color', maxLength: 7, description: 'Empty for none.', examples: ['#0b57d0'] }),
  }),
})

const speakerMembers = {
  position: line('What they do.', 'Shipwright'),
  company: line('For whom they do it.', 'Harbour Ltd'),
  biography: html('About them, as HTML, which is sanitized.'),
  links: Type.Array(
    record({
      title: Text({ limit: 'text', oneLine: true, description: 'Its title.' }),
      url: Type.String({ format: 'link', minLength: 1, maxLength: 2_048 }),
    }),
    { maxItems: 50, description: 'In order.', examples: [[{ title: 'Blog', url: 'https://summit.example/ana' }]] },
  ),
}

const speakerName = name('the speaker', 'Ana Cruz')

const speaker = record({ speaker: DraftSpeaker })

const picture = {
  [photoMember]: Type.Optional(
    Text({
      limit: 'text',
      description: 'The image, in a multipart form as a file part, which is redrawn; an empty text removes it.',
      examples: [''],
    }),
  ),
}

const editors = { organizers: 'editor' } as const

export const editingRecords = {
  updateConference: operation({
    method: 'PUT',
    path: '/api/program/conference',
    tag: 'Editing',
    summary: 'Change the conference',
    description: 'Members that are left out stay as they are. Attendees see the change at once.',
    access: editors,
    params: record({}),
    body: record({ revision: seen('of the conference'), ...optional(conferenceMembers) }),
    data: record({ conference: DraftConference }),
    fails: ['EVENT_CHANGED'],
  }),
  setLogo: operation({
    method: 'PUT',
    path: '/api/program/conference/logo',
    tag: 'Editing',
    summary: 'Replace or remove the logo of the conference',
    access: editors,
    params: record({}),
    body: record({ revision: seen('of the conference'), ...picture }),
    data: record({ conference: DraftConference }),
    fails: ['EVENT_CHANGED'],
  }),
  setRooms: operation({
    method: 'PUT',
    path: '/api/program/rooms',
    tag: 'Editing',
    summary: 'Change, reorder, add and remove rooms',
    description:
      'The whole list in order: rooms without an `id` are new, and those that are left out are removed, unless an ' +
      'event, published or not, is in one. Of a room that exists, members that are left out stay as they are. ' +
      'Attendees see the change at once.',
    access: editors,
    params: record({}),
    body: record({
      revision: seen('of the list'),
      rooms: Type.Array(RoomEntry, {
        maxItems: maxEntries,
        description: 'In order.',
        examples: [[{ name: 'Hall 1', capacity: 300 }]],
      }),
    }),
    data: record({ rooms: DraftRooms }),
    fails: ['ROOM_NOT_FOUND', 'EVENT_CHANGED', 'IN_USE'],
  }),
  setTracks: operation({
    method: 'PUT',
    path: '/api/program/tracks',
    tag: 'Editing',
    summary: 'Change, reorder, add and remove tracks',
    description: 'As for rooms.',
    access: editors,
    params: record({}),
    body: record({
      revision: seen('of the list'),
      tracks: Type.Array(TrackEntry, {
        maxItems: maxEntries,
        description: 'In order.',
        examples: [[{ name: 'Hardware', color: '#0b57d0' }]],
      }),
    }),
    data: record({ tracks: DraftTracks }),
    fails: ['TRACK_NOT_FOUND', 'EVENT_CHANGED', 'IN_USE'],
  }),
  createSpeaker: operation({
    method: 'POST',
    path: '/api/program/speakers',
    tag: 'Editing',
    summary: 'Create a speaker',
    description: 'Attendees see speakers of events that are published.',
    access: editors,
    params: record({}),
    body: record({ name: speakerName, ...optional(speakerMembers) }),
    data: speaker,
    fails: [],
  }),
  getDraftSpeaker: operation({
    method: 'GET',
    path: '/api/program/draft/speakers/{id}',
    tag: 'Editing',
    summary: 'Read a speaker',
    description: 'With the texts, also of one whom attendees do not see.',
    access: editors,
    params: record({ id: Id('speaker', 'The speaker.') }),
    data: speaker,
    fails: ['SPEAKER_NOT_FOUND'],
  }),
  updateSpeaker: operation({
    method: 'PUT',
    path: '/api/program/speakers/{id}',
    tag: 'Editing',
    summary: 'Change a speaker',
    description: 'Members that are left out stay as they are. Attendees see the change at once.',
    access: editors,
    params: record({ id: Id('speaker', 'The speaker.') }),
    body: record({ revision: seen('of the speaker'), ...optional({ name: speakerName, ...speakerMembers }) }),
    data: speaker,
    fails: ['SPEAKER_NOT_FOUND', 'EVENT_CHANGED'],
  }),
  deleteSpeaker: operation({
    method: 'DELETE',
    path: '/api/program/speakers/{id}/{revision}',
    tag: 'Editing',
    summary: 'Erase a speaker',
    description:
      'They are removed from all events and drafts, and all that is stored about them is deleted, with former states ' +
      'and photos. This cannot be undone, and a backup that is restored later does not bring them back.',
    access: editors,
    params: record({ id: Id('speaker', 'The speaker.'), revision: seen('of the speaker') }),
    data: record({}),
    fails: ['SPEAKER_NOT_FOUND', 'EVENT_CHANGED'],
  }),
  setSpeakerPhoto: operation({
    method: 'PUT',
    path: '/api/program/speakers/{id}/photo',
    tag: 'Editing',
    summary: 'Replace or remove the photo of a speaker',
    access: editors,
    params: record({ id: Id('speaker', 'The speaker.') }),
    body: record({ revision: seen('of the speaker'), ...picture }),
    data: speaker,
    fails: ['SPEAKER_NOT_FOUND', 'EVENT_CHANGED'],
  }),
  readDraftBanner: operation({
    method: 'GET',
    path: '/api/program/draft/events/{id}/banner',
    tag: 'Editing',
    summary: 'Read the banner of an event',
    description: 'Returns the image, with `ETag`, also of an event that is not published.',
    access: editors,
    ofRecords: true,
    params: record({ id: Id('event', 'The event.') }),
    fails: ['EVENT_NOT_FOUND', 'FILE_NOT_FOUND'],
  }),
  readDraftSpeakerPhoto: operation({
    method: 'GET',
    path: '/api/program/draft/speakers/{id}/photo',
    tag: 'Editing',
    summary: 'Read the photo of a speaker',
    description: 'Returns the image, with `ETag`, also of a speaker of no published event.',
    access: editors,
    ofRecords: true,
    params: record({ id: Id('speaker', 'The speaker.') }),
    fails: ['SPEAKER_NOT_FOUND', 'FILE_NOT_FOUND'],
  }),
  setBanner: operation({
    method: 'PUT',
    path: '/api/program/draft/events/{id}/banner',
    tag: 'Editing',
    summary: 'Replace or remove the banner of an event',
    description: 'Of an event that is published, attendees see it at once.',
    access: editors,
    params: record({ id: Id('event', 'The event.') }),
    body: record({ revision: seen('of the event'), ...picture }),
    data: record({ event: DraftEvent }),
    fails: ['EVENT_NOT_FOUND', 'EVENT_CHANGED'],
  }),
}
