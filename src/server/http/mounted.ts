import type { IncomingMessage } from 'node:http'
import type { OperationName } from '../../contract/index.ts'
import type { Operation } from '../../contract/operation.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/tables.ts'
import { Links } from '../links.ts'
import type { Scope } from '../scope.ts'
import { baseUrlOf } from './base-url.ts'
import type { compileCheck } from './validate.ts'

export type AnyHandler = (input: object, scope: Scope) => Promise<object>

/** An operation of the contract with what does it. */
export interface Mounted {
  ctx: Context
  name: OperationName
  operation: Operation
  handler: AnyHandler
  /** Where a read answers as this write does (`alike-reads.ts`): that read. */
  reread: AnyHandler | undefined
  check: ReturnType<typeof compileCheck>
}

/** A request for an operation. */
export interface Asked {
  raw: IncomingMessage
  /** The parameters of its path, as they came. */
  params: Readonly<Record<string, unknown>>
  requestId: string
}

/** What a request is done in. @throws Failure BAD_REQUEST, UNKNOWN_HOST */
export const scopeOf = (ctx: Context, { raw, requestId }: Asked, db: Db): Scope => ({
  db,
  now: ctx.clock(),
  links: new Links(baseUrlOf(raw, ctx.config)),
  timestamp: ctx.timestamp,
  dayOfWeek: ctx.config.dayOfWeek,
  limits: ctx.config.limits,
  requestId,
})
