import type { Db } from './tables.ts'

/** A database that is open for reading alone, while others may be writing to it. */
export interface Inspection {
  readonly read: Db
  /**
   * Has the engine look for damage by its own means, and for rows that refer to others that are not there.
   * @returns one sentence for each
   */
  findDamage(): AsyncIterable<string>
  close(): Promise<void>
}

/** As many of a kind are named; a damaged page may concern thousands of rows. */
export const mostNamed = 1_000
