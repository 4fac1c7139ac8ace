import type { FailureReason } from '../../contract/failures.ts'
import { failureOfPostgres } from './postgres/errors.ts'
import { failureOfSqlite } from './sqlite/errors.ts'

/** The failure that stands behind an error of the engine; undefined for one that is a bug of ours. */
export const failureOfEngine = (error: unknown): FailureReason | undefined =>
  failureOfSqlite(error) ?? failureOfPostgres(error)
