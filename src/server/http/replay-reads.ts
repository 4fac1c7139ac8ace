import type { Data, JsonWriteName, OperationName } from '../../contract/index.ts'
import type { CachedOperationName } from '../cache/dependencies.ts'
import { getComment } from '../newsfeed/comments.ts'
import { getListedTopic, getTopic } from '../newsfeed/topics.ts'
import type { HandlerInput } from '../operation.ts'
import type { Scope } from '../scope.ts'
import type { AnyHandler } from './bound-operation.ts'

/** The reads that accept the input of a write, and return data of the same type. */
type SimilarRead<N extends JsonWriteName> = {
  [R in CachedOperationName]: HandlerInput<N> extends HandlerInput<R> ? (Data<N> extends Data<R> ? R : never) : never
}[CachedOperationName]

type ReplayRead<N extends JsonWriteName> = (scope: Scope, input: HandlerInput<N>) => Promise<Data<N>>

/**
 * Writes that return a whole record, including what other participants have added to it, each with a read that returns
 * the same. The responses of all other writes are bounded by the limits of one request.
 */
const replayReads: { [N in JsonWriteName as [SimilarRead<N>] extends [never] ? never : N]: ReplayRead<N> } = {
  updateTopic: (scope, { topic_id }) => getTopic(scope, topic_id),
  likeTopic: (scope, { topic_id }) => getListedTopic(scope, topic_id),
  updateComment: (scope, { comment_id }) => getComment(scope, comment_id),
}

/** Finds the read that returns the same record as a write. */
export const findReplayRead = (name: OperationName): AnyHandler | undefined =>
  // Each read is typed by its write; a lookup by name cannot be.
  Object.hasOwn(replayReads, name) ? (replayReads[name as keyof typeof replayReads] as AnyHandler) : undefined
