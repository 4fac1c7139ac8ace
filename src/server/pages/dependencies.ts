import type { ChangeKind } from '../../contract/changes.ts'
import type { JsonOperationName, OperationName, Operations } from '../../contract/index.ts'
import type { Accepted } from '../http/handlers.ts'

/** A part of the data that a page shows. `topics` are all topics with what hangs on them. */
export type Part = 'topics' | `topic ${number}` | 'program' | 'feedback' | 'participants'

/** Operations that answer a page. */
export type PageName = {
  [N in JsonOperationName]: Operations[N]['method'] extends 'GET' ? N : never
}[JsonOperationName]

/** What each page shows; that it is complete is held by `pages.test.ts`. Authors are participants. */
export const partsOf: { [N in PageName]: (input: Accepted<N>) => Part[] } = {
  listTopics: () => ['topics', 'participants'],
  getTopic: ({ topic_id }) => [`topic ${topic_id}`, 'participants'],
  listComments: ({ topic_id }) => [`topic ${topic_id}`, 'participants'],
  // Its topic is not known by the address.
  getComment: () => ['topics', 'participants'],
  listEvents: () => ['program'],
  getEvent: () => ['program'],
  listFeedback: () => ['feedback', 'participants'],
  listFeedbackOfParticipant: () => ['feedback', 'participants'],
  listParticipants: () => ['participants'],
}

export const isPage = (name: OperationName): name is PageName => Object.hasOwn(partsOf, name)

/** What a row of the log says that matters here. `parent_id` is the topic of a comment, like or file. */
interface LoggedChange {
  kind: string
  record_id: number
  parent_id: number
}

const area: { [K in ChangeKind]: 'topic' | Part | 'everything' } = {
  'summit.created': 'everything',
  'topic.created': 'topic',
  'topic.updated': 'topic',
  'topic.deleted': 'topic',
  'topic.liked': 'topic',
  'topic.unliked': 'topic',
  'comment.created': 'topic',
  'comment.updated': 'topic',
  'comment.deleted': 'topic',
  'file.deleted': 'topic',
  'event.created': 'program',
  'event.updated': 'program',
  'event.cancelled': 'program',
  'feedback.added': 'feedback',
  'participant.created': 'participants',
  'participant.updated': 'participants',
}

/** The parts that a change touches. A kind that we do not know, as a newer version may write it, touches everything. */
export function touchedBy({ kind, parent_id }: LoggedChange): Part[] | 'everything' {
  const touched = Object.hasOwn(area, kind) ? area[kind as ChangeKind] : 'everything'
  if (touched === 'everything') return 'everything'
  return touched === 'topic' ? ['topics', `topic ${parent_id}`] : [touched]
}
