/** The requested part of a list: skip `offset` rows, return at most `limit`, which is 1,000 at most. */
export interface PageParams {
  offset: number
  limit: number
}
