import type { Data, JsonOperationName, OperationName } from '../../contract/index.ts'
import type { PageName } from '../pages/dependencies.ts'
import type { Accepted } from './handlers.ts'

type JsonWriteName = Exclude<JsonOperationName, PageName>

/** The reads that can be asked with what a write is asked with, and answer alike. */
type AlikeRead<N extends JsonWriteName> = {
  [R in PageName]: Accepted<N> extends Accepted<R> ? (Data<N> extends Data<R> ? R : never) : never
}[PageName]

/**
 * Writes that answer with a record as it is then, whatever others have added to it, each with the read that answers with
 * it, too. What all others answer is as long as the limits of one request let it be.
 */
const alikeReads: { [N in JsonWriteName as [AlikeRead<N>] extends [never] ? never : N]: AlikeRead<N> } = {
  updateTopic: 'getTopic',
  likeTopic: 'getTopic',
  updateComment: 'getComment',
}

/** The read that answers with the record that a write answers with. */
export const alikeReadOf = (name: OperationName): PageName | undefined =>
  Object.hasOwn(alikeReads, name) ? alikeReads[name as keyof typeof alikeReads] : undefined
