import type { Role } from '../../../contract/access.ts'
import type { OperationName } from '../../../contract/index.ts'
import type { Limits } from '../../../contract/limits.ts'
import type { Operation } from '../../../contract/operation.ts'
import type { Context } from '../../context.ts'
import type { StoreBlob } from '../../operation.ts'
import type { PreparationScope, RequestScope, Scope } from '../../scope.ts'
import type { Checks } from './validate.ts'

export type AnyHandler = (scope: Scope, input: object) => Promise<object>

export type AnyPreparation = (
  scope: PreparationScope,
  input: object,
  storeBlob: StoreBlob,
) => Promise<Record<string, unknown> | ((scope: RequestScope) => Promise<object>)>

/** An operation of the contract with its handler. */
export interface BoundOperation {
  readonly ctx: Context
  readonly name: OperationName
  readonly operation: Operation
  readonly handler: AnyHandler
  /** The handler for participants who read their own records only, if this is such a read. */
  readonly readOwn: AnyHandler | undefined
  /** Replaces the handler of a write that has work to do before its transaction, or in place of it. */
  readonly prepare: AnyPreparation | undefined
  /** A read that returns the same data as this write, if there is one. */
  readonly replayRead: AnyHandler | undefined
  /** Whether its responses are cached. */
  readonly isCached: boolean
  readonly checks: Checks
  /** The limits of its request body. */
  readonly limits: Limits
  /** The role of organizers who may use it for anyone; an owner unless its access says. */
  readonly role: Role
}
