import type { ReadAccess } from '../../contract/access.ts'
import type { Data, JsonOperationName, OperationName, Operations } from '../../contract/index.ts'
import type { Dependency } from '../changes/dependencies.ts'
import type { HandlerInput } from '../operation.ts'
import type { ResponseKey } from './key.ts'

/** The operations whose responses are cached: all JSON reads but those about the sender. */
export type CachedOperationName = {
  [N in JsonOperationName]: Operations[N]['access'] extends ReadAccess ? N : never
}[JsonOperationName]

type FindDependencies<N extends CachedOperationName> = (input: HandlerInput<N>, data?: Data<N>) => Dependency[]

/**
 * The dependencies of each operation's response: an upper bound from its input alone, exact once `data` is given.
 * Authors are participants. `cache-consistency.test.ts` verifies that nothing is missing.
 */
const dependenciesByOperation: { [N in CachedOperationName]: FindDependencies<N> } = {
  listTopics: (_input, data) =>
    data
      ? ['order of topics', ...data.NewsFeed.map(({ id }): Dependency => `topic ${id}`), 'participants']
      : ['topics', 'participants'],
  getTopic: ({ topic_id }) => [`topic ${topic_id}`, 'participants'],
  listComments: ({ topic_id }) => [`topic ${topic_id}`, 'participants'],
  // Neither its input nor its data names its topic.
  getComment: () => ['topics', 'participants'],
  listEvents: () => ['program'],
  getEvent: () => ['program'],
  listFeedback: () => ['feedback', 'participants'],
  listFeedbackOfParticipant: () => ['feedback', 'participants'],
  listParticipants: () => ['participants'],
}

/** The dependencies of a response. @param data of the response, once it has been read */
export const dependenciesOf = ({ name, input }: ResponseKey, data?: object): Dependency[] =>
  // Each entry is typed by its operation; a lookup by name cannot be.
  (dependenciesByOperation[name] as (input: object, data?: object) => Dependency[])(input, data)

export const isCached = (name: OperationName): name is CachedOperationName =>
  Object.hasOwn(dependenciesByOperation, name)
