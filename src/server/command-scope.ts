import type { Context } from './context.ts'
import type { Db } from './db/tables.ts'
import { Links } from './links.ts'
import type { Scope } from './scope.ts'

/**
 * What a command of the operator works in, as a request does.
 * @param name stands in the change log where a request has its id
 */
export const scopeOfCommand = (ctx: Context, db: Db, name: string): Scope => ({
  db,
  now: ctx.clock(),
  links: new Links(ctx.config.publicUrl ?? ''),
  timestamp: ctx.timestamp,
  dayOfWeek: ctx.config.dayOfWeek,
  limits: ctx.config.limits,
  requestId: name,
})
