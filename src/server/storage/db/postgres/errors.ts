import type { FailureReason } from '../../../../contract/failures.ts'

/** The connection is lost or unusable. Its uncommitted writes are not stored. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
}

/**
 * The SQLSTATE of an error reported by the server; undefined for any other
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html).
 */
export const sqlState = (error: unknown): string | undefined =>
  isReported(error) && typeof error.code === 'string' ? error.code : undefined

/** Known by its fields rather than its class: a summit on SQLite is spared loading `pg`. */
const isReported = (error: unknown): error is Error & { code?: unknown } =>
  error instanceof Error && 'severity' in error

/**
 * The SQLSTATEs with which the server closes or rejects a connection: connection exceptions, shutdowns and starts, idle
 * timeouts, too many connections.
 */
const endOfConnection = /^(08...|57P0[1-5]|25P0[34]|53300)$/

/** The cached plan was invalidated by a migration of a newer Summit; a new connection plans the statement again. */
const isOutdatedPlan = (error: unknown): boolean =>
  sqlState(error) === '0A000' && error instanceof Error && error.message.includes('cached plan')

/** Whether the connection is unusable. An error that the server did not report is one of the connection. */
export function endsConnection(error: unknown): boolean {
  const state = sqlState(error)
  return state === undefined || endOfConnection.test(state) || isOutdatedPlan(error)
}

/** Whether the session is read-only, by default or because the server is a standby. */
export const isReadOnly = (error: unknown): boolean => sqlState(error) === '25006'

/**
 * The SQLSTATEs of errors that are not caused by the request: insufficient resources, lock and statement timeouts,
 * deadlocks, and disk errors.
 */
const serverTrouble = /^(53...|55P03|57014|40001|40P01|58...|XX00[12])$/

/** The failure that an error of PostgreSQL amounts to; undefined for any other error. */
export function postgresFailureReason(error: unknown): FailureReason | undefined {
  if (error instanceof ConnectionLost) return 'UNAVAILABLE'
  const state = sqlState(error)
  if (state === undefined) return undefined
  if (state === '53100') return 'STORAGE_FULL'
  if (isReadOnly(error)) return 'STORAGE_READ_ONLY'
  return serverTrouble.test(state) || endOfConnection.test(state) ? 'UNAVAILABLE' : undefined
}
