import type { ChangeKind } from '../../contract/changes.ts'
import type { Data, JsonOperationName, OperationName, Operations } from '../../contract/index.ts'
import type { TopicChangeKind } from '../changes/log.ts'
import type { HandlerInput } from '../operation.ts'
import type { ResponseKey } from './key.ts'

/**
 * A part of the data that a response shows. `topics` is all topics with what hangs on them, `topic 7` one of them, and
 * `order of topics` which there are.
 */
export type Part = 'topics' | 'order of topics' | `topic ${number | string}` | 'program' | 'feedback' | 'participants'

/** The operations whose responses are cached: all reads in JSON. */
export type CachedOperationName = {
  [N in JsonOperationName]: Operations[N]['method'] extends 'GET' ? N : never
}[JsonOperationName]

type PartsOf<N extends CachedOperationName> = (input: HandlerInput<N>, data?: Data<N>) => Part[]

/**
 * The parts that each response shows, as far as its input tells, and exactly once there is `data`. Authors are
 * participants. That it is complete is held by `response-cache.test.ts`.
 */
const partsOf: { [N in CachedOperationName]: PartsOf<N> } = {
  listTopics: (_input, data) =>
    data
      ? ['order of topics', ...data.NewsFeed.map(({ id }): Part => `topic ${id}`), 'participants']
      : ['topics', 'participants'],
  getTopic: ({ topic_id }) => [`topic ${topic_id}`, 'participants'],
  listComments: ({ topic_id }) => [`topic ${topic_id}`, 'participants'],
  // Neither its input nor its data tell its topic.
  getComment: () => ['topics', 'participants'],
  listEvents: () => ['program'],
  getEvent: () => ['program'],
  listFeedback: () => ['feedback', 'participants'],
  listFeedbackOfParticipant: () => ['feedback', 'participants'],
  listParticipants: () => ['participants'],
}

/** The parts that a response shows. @param data what it says, once that is known */
export const dependenciesOf = ({ name, input }: ResponseKey, data?: object): Part[] =>
  // The types of the contract tie each entry to its operation; here they are all alike.
  (partsOf[name] as (input: object, data?: object) => Part[])(input, data)

export const isCached = (name: OperationName): name is CachedOperationName => Object.hasOwn(partsOf, name)

/** What a row of the log says that matters here. `parent_id` is the topic of a comment, like or file. */
interface LoggedChange {
  kind: string
  parent_id: number
}

/** Only changes of these kinds have a topic in the log. */
type TouchedTopic = 'topic and order' | 'topic'

const touches: { [K in ChangeKind]: K extends TopicChangeKind ? TouchedTopic : Part | 'everything' } = {
  'summit.created': 'everything',
  'topic.created': 'topic and order',
  'topic.updated': 'topic',
  'topic.deleted': 'topic and order',
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
  const touched = Object.hasOwn(touches, kind) ? touches[kind as ChangeKind] : 'everything'
  switch (touched) {
    case 'everything':
      return touched
    case 'topic and order':
      return ['topics', 'order of topics', `topic ${parent_id}`]
    case 'topic':
      return ['topics', `topic ${parent_id}`]
    default:
      return [touched]
  }
}
