import Type, { type Static } from 'typebox'
import { Timestamp } from './envelope.ts'
import { Id, operation, pageOf, Ref, record, Text } from './operation.ts'
import { Author, WireId } from './records.ts'

/** A participant's feedback. The ratings are stored, not returned. */
export const Feedback = record({
  id: WireId,
  comments: Type.Union([Type.String(), Type.Null()]),
  author: Author,
  dateCreated: Timestamp,
})
export type Feedback = Static<typeof Feedback>

const rating = (of: string) =>
  Type.Optional(
    Text({ limit: 'text', acceptsNumber: true, description: `Rating of the ${of}, free-form.`, examples: ['5'] }),
  )

export const feedback = {
  listFeedback: operation({
    method: 'GET',
    path: '/api/feedback/list/{offset}/{limit}',
    tag: 'Feedback',
    summary: 'List feedback, newest first',
    description: 'Where people sign in, participants get their own feedback, unless `FEEDBACK_READERS=participants`.',
    access: { readers: 'authors' },
    params: record(pageOf('feedback')),
    data: record({ feedbacks: Type.Array(Feedback) }),
    fails: [],
  }),
  listFeedbackOfParticipant: operation({
    method: 'GET',
    path: '/api/feedback/list/{offset}/{limit}/{participant_id}',
    tag: 'Feedback',
    summary: "List one participant's feedback, newest first",
    description:
      'Where people sign in, participants get an empty list for anyone but themselves, unless ' +
      '`FEEDBACK_READERS=participants`.',
    access: { readers: 'authors' },
    params: record({ ...pageOf('feedback'), participant_id: Id('participant', 'The participant.') }),
    data: record({ feedbacks: Type.Array(Feedback) }),
    fails: [],
  }),
  addFeedback: operation({
    method: 'POST',
    path: '/api/feedback/add',
    tag: 'Feedback',
    summary: 'Leave feedback',
    description: '`participant_id` or `created_by` is required. If both are given, `participant_id` is the author.',
    access: { role: 'moderator', actor: ['participant_id', 'created_by'] },
    params: record({}),
    anyOf: ['participant_id', 'created_by'],
    body: record({
      created_by: Type.Optional(Ref('participant', 'The participant who sends it.')),
      participant_id: Type.Optional(Ref('participant', 'The participant whose feedback it is.')),
      quality: rating('quality'),
      rating: rating('event'),
      relevance: rating('relevance'),
      expectation: rating('expectation'),
      comments: Type.Optional(Text({ limit: 'feedback', description: 'Free text.', examples: ['Loved it.'] })),
      program_id: Type.Optional(Ref('event', 'The event it is about, which need not exist.')),
    }),
    data: record({ feedbacks: Feedback }),
    fails: [],
  }),
}
