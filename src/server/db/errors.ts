import type { FailureReason } from '../../contract/failures.ts'
import { failureOfPostgres } from './postgres/errors.ts'
import { failureOfSqlite } from './sqlite/errors.ts'
import { sentenceOfSqlite } from './sqlite/messages.ts'

/** The failure that stands behind an error of the engine; undefined for one that is a bug of ours. */
export const failureOfEngine = (error: unknown): FailureReason | undefined =>
  failureOfSqlite(error) ?? failureOfPostgres(error)

/** One line about why a database cannot be opened, for the operator; undefined for a bug of ours. */
export const sentenceOfEngine = (error: unknown): string | undefined => sentenceOfSqlite(error)
