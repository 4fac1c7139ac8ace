import type { FailureReason } from '../../../contract/failures.ts'
import { postgresFailureReason, sqlState } from './postgres/errors.ts'
import { describeSqliteError, sqliteFailureReason } from './sqlite/errors.ts'

/** The failure that an error of the engine amounts to; undefined for a bug of ours. */
export const engineFailureReason = (error: unknown): FailureReason | undefined =>
  sqliteFailureReason(error) ?? postgresFailureReason(error)

/** Whether the message of an error of the engine quotes stored or sent values: those of class 22, data exceptions. */
export const quotesValues = (error: unknown): boolean => sqlState(error)?.startsWith('22') ?? false

/** One line for the operator on why a database cannot be opened; undefined for a bug of ours. */
export const describeEngineError = (error: unknown): string | undefined => describeSqliteError(error)
