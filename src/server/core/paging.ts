import { maxPageRows } from '../../contract/limits.ts'

/** The requested part of a list: skip `offset` rows, return at most `limit`. */
export interface PageParams {
  offset: number
  limit: number
}

/** The number of rows to read for a page, at most 1,000. */
export const rowLimitOf = ({ limit }: PageParams): number => Math.min(limit, maxPageRows)
