import type { FailedField } from '../../contract/envelope.ts'
import { type FailureReason, failures } from '../../contract/failures.ts'

interface FailureOptions extends ErrorOptions {
  fields?: FailedField[]
}

/** A failure of the contract, thrown by name; whoever asked gets its code and sentence, and never the cause. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly reason: FailureReason
  readonly fields: FailedField[]

  constructor(reason: FailureReason, { fields = [], ...options }: FailureOptions = {}) {
    super(failures[reason].message, options)
    this.reason = reason
    this.fields = fields
  }
}

/** Whether a write that failed may have been stored all the same. */
export const mayBeStored = (error: unknown): boolean => error instanceof Failure && error.reason === 'OUTCOME_UNKNOWN'
