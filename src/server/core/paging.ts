import { maxPageRows } from '../../contract/limits.ts'

/** A part of a list as it is asked for: `offset` rows skipped, then at most `limit`. */
export interface Page {
  offset: number
  limit: number
}

/** The number of rows to read for a page: more than 1,000 is as if 1,000 were asked for. */
export const rowsOf = ({ limit }: Page): number => Math.min(limit, maxPageRows)
