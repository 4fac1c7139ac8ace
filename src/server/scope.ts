import type { Context } from './context.ts'
import type { Db } from './db/tables.ts'
import type { Links } from './links.ts'

/** What one request (or one command) works in. */
export interface Scope {
  /** What to query: for a write its transaction, for a read the database. */
  readonly db: Db
  /** The one moment at which all of it happens, in milliseconds since 1970. */
  readonly now: number
  readonly links: Links
  /** Prints a moment as the answer shows it. */
  readonly timestamp: Context['timestamp']
  readonly dayOfWeek: Context['config']['dayOfWeek']
  readonly limits: Context['config']['limits']
  /** Which request it is, in answers, logs and the change log. */
  readonly requestId: string
}
