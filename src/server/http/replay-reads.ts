import type { Data, JsonWriteName, OperationName } from '../../contract/index.ts'
import type { CachedOperationName } from '../cache/dependencies.ts'
import type { HandlerInput } from '../operation.ts'

/** The reads that accept the input of a write, and return the same data. */
type ReplayRead<N extends JsonWriteName> = {
  [R in CachedOperationName]: HandlerInput<N> extends HandlerInput<R> ? (Data<N> extends Data<R> ? R : never) : never
}[CachedOperationName]

/**
 * Writes that return a whole record, including what other participants have added to it, each with the read that
 * returns the same. The responses of all other writes are bounded by the limits of one request.
 */
const replayReads: { [N in JsonWriteName as [ReplayRead<N>] extends [never] ? never : N]: ReplayRead<N> } = {
  updateTopic: 'getTopic',
  likeTopic: 'getTopic',
  updateComment: 'getComment',
}

/** Finds the read that returns the same record as a write. */
export const findReplayRead = (name: OperationName): CachedOperationName | undefined =>
  Object.hasOwn(replayReads, name) ? replayReads[name as keyof typeof replayReads] : undefined
