import type { Data, JsonOperationName, OperationName } from '../../contract/index.ts'
import type { CachedOperationName } from '../cache/dependencies.ts'
import type { HandlerInput } from '../operation.ts'

type JsonWriteName = Exclude<JsonOperationName, CachedOperationName>

/** The reads that take the input of a write, and respond with the same data. */
type ReplayRead<N extends JsonWriteName> = {
  [R in CachedOperationName]: HandlerInput<N> extends HandlerInput<R> ? (Data<N> extends Data<R> ? R : never) : never
}[CachedOperationName]

/**
 * Writes that respond with a record as it is then, with all that others have added to it, each with the read that
 * responds with it, too. The responses of all others are bounded by the limits of one request.
 */
const replayReads: { [N in JsonWriteName as [ReplayRead<N>] extends [never] ? never : N]: ReplayRead<N> } = {
  updateTopic: 'getTopic',
  likeTopic: 'getTopic',
  updateComment: 'getComment',
}

/** The read that responds with the same record as a write. */
export const replayReadOf = (name: OperationName): CachedOperationName | undefined =>
  Object.hasOwn(replayReads, name) ? replayReads[name as keyof typeof replayReads] : undefined
