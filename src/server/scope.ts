import type { Context } from './context.ts'
import type { Db } from './db/tables.ts'
import { Links } from './links.ts'

/** What a read works in. Nothing in it belongs to one request: its result may be cached for others. */
export interface Scope {
  /** What to query: for a write its transaction, for a read the database. */
  readonly db: Db
  /** The one moment at which all of it happens, in milliseconds since 1970. */
  readonly now: number
  readonly links: Links
  /** Prints a moment as responses show it. */
  readonly timestamp: Context['timestamp']
  readonly dayOfWeek: Context['config']['dayOfWeek']
  readonly limits: Context['config']['limits']
}

/** What a write works in. */
export interface WriteScope extends Scope {
  /** Names the request in responses, logs and the change log; for a command its name. */
  readonly requestId: string
}

/** @param baseUrl what absolute links begin with */
export const openScope = (ctx: Context, db: Db, baseUrl: string): Scope => ({
  db,
  now: ctx.clock(),
  links: new Links(baseUrl),
  timestamp: ctx.timestamp,
  dayOfWeek: ctx.config.dayOfWeek,
  limits: ctx.config.limits,
})

/** What a command of the operator works in, as a request does. @param name stands in the change log where a request has its id */
export const commandScope = (ctx: Context, db: Db, name: string): WriteScope => ({
  ...openScope(ctx, db, ctx.config.publicUrl ?? ''),
  requestId: name,
})
