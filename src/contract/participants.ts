import Type, { type Static } from 'typebox'
import { Timestamp } from './envelope.ts'
import { Id, operation, pageOf, record, Text } from './operation.ts'
import { Actor, WireId } from './records.ts'

/** A participant in the list. */
export const Participant = record({
  id: WireId,
  full_name: Type.String(),
  designation: Type.String(),
  employee_no: Type.String(),
  email: Type.String(),
  photo: Type.Union([Type.String(), Type.Null()]),
  mobile_no: Type.String(),
  gender: Type.String(),
})
export type Participant = Static<typeof Participant>

/** A participant on a page of their own. */
export const ParticipantProfile = record({
  id: WireId,
  full_name: Type.String(),
  designation: Type.String(),
  employee_no: Type.String(),
  email: Type.String(),
  mobile_no: Type.String(),
  gender: Type.String(),
  photo_url: Type.Union([Type.String(), Type.Null()], {
    description: 'The URL of the photo, which may be on any server.',
  }),
})
export type ParticipantProfile = Static<typeof ParticipantProfile>

/** A participant after an update. */
export const ParticipantDetails = record({
  id: WireId,
  employee_no: Type.String(),
  designation: Type.String(),
  email: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
  photo: Type.String(),
  mobile_no: Type.String(),
  gender: Type.String(),
  created_at: Timestamp,
  modified_at: Timestamp,
  deleted_at: Timestamp,
  created_by: Actor,
  modified_by: Actor,
  deleted_by: Actor,
  is_deleted: Type.String({ pattern: '^[01]$' }),
  google_id: Type.String(),
})
export type ParticipantDetails = Static<typeof ParticipantDetails>

const text = (description: string, example: string) =>
  Type.Optional(Text({ limit: 'text', description, examples: [example] }))

/** The members of a profile, in a request that changes it. */
export const profile = {
  employee_no: text('Employee or badge number.', 'E1001'),
  designation: text('Job title.', 'Software Engineer'),
  email: text('E-mail address.', 'ana.cruz@summit.example'),
  first_name: text('First name.', 'Ana'),
  last_name: text('Last name.', 'Cruz'),
  photo: Type.Optional(
    Text({
      limit: 'text',
      format: 'photo',
      description:
        'An http(s) URL or a stored path; in a multipart form also an image as a file part. The image of a post is copied.',
      examples: ['https://cdn.summit.example/ana.jpg'],
    }),
  ),
  mobile_no: text('Mobile number.', '+639170000001'),
  gender: text('Gender.', 'F'),
}

export const participants = {
  listParticipants: operation({
    method: 'GET',
    path: '/api/participants/{offset}/{limit}',
    tag: 'Participants',
    summary: 'List participants',
    access: { readers: 'participants' },
    params: record(pageOf('participant')),
    data: record({ participants: Type.Array(Participant) }),
    fails: [],
  }),
  readParticipant: operation({
    method: 'GET',
    path: '/api/participants/{participantId}/details',
    tag: 'Participants',
    summary: 'Read a participant',
    description: 'As the list shows them to the sender. An extension of the interface specification.',
    access: { readers: 'participants' },
    params: record({ participantId: Id('participant', 'The participant.') }),
    data: record({ participant: ParticipantProfile }),
    fails: ['PARTICIPANT_NOT_FOUND'],
  }),
  searchParticipants: operation({
    method: 'GET',
    path: '/api/participants/search/{offset}/{limit}',
    tag: 'Participants',
    summary: 'Find participants by words',
    description:
      'The participants of whom the list shows every word to the sender, in the name, designation or a contact, the best ' +
      'first. A word may be a part of one, without regard to case and accents. An extension of the interface specification.',
    access: { readers: 'participants' },
    uncached: true,
    params: record(pageOf('participant')),
    query: record({
      q: Text({ limit: 'text', description: 'The words.', required: true, examples: ['ana engineer'] }),
    }),
    data: record({
      participants: Type.Array(Participant, { description: 'Equally good ones by id.' }),
      participant_count: Type.Integer({ minimum: 0, description: 'How many are found on all pages.' }),
    }),
    fails: [],
  }),
  readParticipantPhoto: operation({
    method: 'GET',
    path: '/api/participants/{participantId}/photo/{file_name}',
    tag: 'Participants',
    summary: "Read a participant's stored photo",
    description:
      'Returns an image, with `ETag` and `Range`. The `photoUrl` of an Author points here if the photo was imported or uploaded.',
    access: { readers: 'anyone' },
    params: record({
      participantId: Id('participant', 'The participant.'),
      file_name: Type.String({ description: 'The file name in `photo`.', examples: ['photo.png'] }),
    }),
    fails: ['FILE_NOT_FOUND'],
  }),
  updateParticipant: operation({
    method: 'PUT',
    path: '/api/participants/{participantId}/update',
    tag: 'Participants',
    summary: 'Change a participant',
    description:
      'An absent member stays as it is; an empty string clears it. A form may have an image as the file part `photo`. ' +
      'With the key of a participant, see the API guide.',
    access: { role: 'editor', changesOwn: true },
    params: record({ participantId: Id('participant', 'The participant.') }),
    body: record(profile),
    data: record({ participant: ParticipantDetails }),
    fails: ['PARTICIPANT_NOT_FOUND'],
  }),
}
