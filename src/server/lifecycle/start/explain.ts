import { hasCode, OperatorError } from '../../core/errors.ts'
import { Failure } from '../../core/failure.ts'
import { describeEngineError } from '../../storage/db/errors.ts'

/** Describes a fatal error: one line if the operator can fix it; anything else is a bug and gets its stack trace. */
export function explain(error: unknown): string {
  if (error instanceof OperatorError) return error.message
  // A failure with a cause is meant for clients.
  if (error instanceof Failure && error.cause !== undefined) return explain(error.cause)
  if (error instanceof Failure) return error.fields[0]?.message ?? error.message
  // Several similar failures, such as files that could not be removed: the first stands for all.
  if (error instanceof AggregateError && error.errors[0] instanceof Failure)
    return `${error.message}. ${explain(error.errors[0])}`
  const message = describeEngineError(error) ?? describeSystemError(error)
  if (message !== undefined) return message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** Other system errors already name the file and the problem, as in "ENOENT: no such file …". */
function describeSystemError(error: unknown): string | undefined {
  if (!(error instanceof Error && 'syscall' in error)) return undefined
  if (hasCode(error, 'ENOSPC') || hasCode(error, 'EDQUOT'))
    return `The disk of ${'path' in error ? error.path : 'DATA_DIR'} is full.`
  switch (error.syscall) {
    case 'mkdir':
      return `DATA_DIR cannot be used as a folder: ${error.message}`
    case 'access':
      return `DATA_DIR is not writable: ${error.message}`
    case 'getaddrinfo':
      return `HOST could not be resolved: ${error.message}`
    case 'listen':
      return describeListenError(error)
    default:
      return error.message
  }
}

function describeListenError(error: Error): string {
  if (hasCode(error, 'EADDRINUSE')) return `${portOf(error)} is already in use. Set PORT to another one.`
  if (hasCode(error, 'EADDRNOTAVAIL')) return 'HOST is not an address of this machine.'
  if (hasCode(error, 'EACCES')) return 'Permission denied for PORT. Ports below 1024 are privileged.'
  if (hasCode(error, 'ENOTSUP')) return 'This system does not let processes share a port. Set WORKERS to 1.'
  return error.message
}

const portOf = (error: Error): string => ('port' in error ? `Port ${error.port}` : 'The port')
