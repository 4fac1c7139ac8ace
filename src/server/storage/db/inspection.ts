import type { Db } from './tables.ts'

/** A database that is open read-only, while other processes may be writing to it. */
export interface Inspection {
  readonly read: Db
  /**
   * Runs the engine's own integrity checks, and looks for rows that refer to missing rows.
   * @returns a sentence for each problem
   */
  findDamage(): AsyncIterable<string>
  close(): Promise<void>
}

/** How many problems of one kind are reported; a damaged page may affect thousands of rows. */
export const maxReported = 1_000
