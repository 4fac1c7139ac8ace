import { messageOf } from '../../core/errors.ts'

/** A request was not sent, or its response cannot be used. The message has nothing of the URL but its host. */
export class EgressError extends Error {
  override readonly name = 'EgressError'
}

/**
 * The message of an error, in one line. The error of a connection that failed at several addresses contains theirs;
 * that of TLS has its reason apart from the message, which has several lines.
 */
export function describeError(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(describeError).join(', ')
  if (error instanceof Error && 'reason' in error && typeof error.reason === 'string') return error.reason
  return messageOf(error)
}
