import type { Audience } from '../core/principal.ts'
import type { CachedOperationName } from './dependencies.ts'

/**
 * Everything that a cached response is made from, besides the database. Nothing else of a request may go into it: the
 * next request for the same key gets the same response, whoever sends it.
 */
export interface ResponseKey {
  readonly name: CachedOperationName
  /** The path parameters, checked. */
  readonly input: Readonly<Record<string, unknown>>
  /** The path of the operation with `input` in it. */
  readonly path: string
  readonly audience: Audience
  /** What the absolute links in it begin with; holds no credential. */
  readonly baseUrl: string
}

/** The key as one string. Neither an audience nor a base URL has a space in it, so no two keys share one. */
export const keyText = ({ audience, baseUrl, path }: ResponseKey): string => `${audience} ${baseUrl} ${path}`
