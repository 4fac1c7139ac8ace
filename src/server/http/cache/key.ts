import type { Viewer } from '../../core/viewer.ts'
import type { CachedOperationName } from '../../operation.ts'

/**
 * Everything that a cached response is built from, besides the database. Nothing else of a request may enter it: every
 * request with the same key gets the same response, for any client.
 */
export interface ResponseKey extends Viewer {
  readonly name: CachedOperationName
  /** The validated path parameters. */
  readonly input: Readonly<Record<string, unknown>>
  /** The path of the operation with `input` in it. */
  readonly path: string
}
