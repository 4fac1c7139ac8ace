import type { FailureReason } from '../../../contract/failures.ts'

/** The connection is gone, or no longer to be used; whatever was not committed on it is not stored. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
}

/** The SQLSTATE of an error that the server reported, or undefined (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
export const sqlState = (error: unknown): string | undefined =>
  isReported(error) && typeof error.code === 'string' ? error.code : undefined

/** Known by its fields rather than its class: a summit on SQLite is spared loading `pg`. */
const isReported = (error: unknown): error is Error & { code?: unknown } =>
  error instanceof Error && 'severity' in error

/**
 * Reported by a server that ends the connection with it, or does not take it: connection exceptions, shutdowns and
 * starts, sessions that idled for too long, too many connections.
 */
const endOfConnection = /^(08...|57P0[1-5]|25P0[34]|53300)$/

/** A plan that a migration made by a newer Summit has outdated; a new connection makes it anew. */
const isOutdatedPlan = (error: unknown): boolean =>
  sqlState(error) === '0A000' && error instanceof Error && error.message.includes('cached plan')

/** Whether the connection is good for nothing more. What the server did not report happened to the connection. */
export function endsConnection(error: unknown): boolean {
  const state = sqlState(error)
  return state === undefined || endOfConnection.test(state) || isOutdatedPlan(error)
}

/** Whether the session takes no writes: by default, or as the server is a standby. */
export const isReadOnly = (error: unknown): boolean => sqlState(error) === '25006'

/**
 * What the server reports that no request is to blame for: insufficient resources, locks and statements that took too
 * long, deadlocks, and errors of its disk.
 */
const trouble = /^(53...|55P03|57014|40001|40P01|58...|XX00[12])$/

/** The failure that stands behind an error of PostgreSQL; undefined for any other. */
export function failureOfPostgres(error: unknown): FailureReason | undefined {
  if (error instanceof ConnectionLost) return 'UNAVAILABLE'
  const state = sqlState(error)
  if (state === undefined) return undefined
  if (state === '53100') return 'STORAGE_FULL'
  if (isReadOnly(error)) return 'STORAGE_READ_ONLY'
  return trouble.test(state) || endOfConnection.test(state) ? 'UNAVAILABLE' : undefined
}
