import { hasCode } from '../core/error-code.ts'
import { Failure } from '../core/failure.ts'
import { OperatorError } from '../core/operator-error.ts'
import { describeEngineError } from '../db/errors.ts'

/** Why a program of ours cannot go on: what an operator can mend is one line; all else is a bug and shows where. */
export function explain(error: unknown): string {
  if (error instanceof OperatorError) return error.message
  // A failure is what clients are told.
  if (error instanceof Failure && error.cause !== undefined) return explain(error.cause)
  // Of several alike, as when none of some files can be removed, the first says it for all.
  if (error instanceof AggregateError && error.errors[0] instanceof Failure)
    return `${error.message}. ${explain(error.errors[0])}`
  const sentence = describeEngineError(error) ?? sentenceOfSystem(error)
  if (sentence !== undefined) return sentence
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** The system's own messages name the file and what is wrong with it, as in "ENOENT: no such file …". */
function sentenceOfSystem(error: unknown): string | undefined {
  if (!(error instanceof Error && 'syscall' in error)) return undefined
  switch (error.syscall) {
    case 'mkdir':
      return `DATA_DIR cannot be used as a folder: ${error.message}`
    case 'access':
      return `DATA_DIR cannot be written to: ${error.message}`
    case 'getaddrinfo':
      return `HOST is not a name that leads to an address: ${error.message}`
    case 'listen':
      return sentenceOfListening(error)
    default:
      return error.message
  }
}

function sentenceOfListening(error: Error): string {
  if (hasCode(error, 'EADDRINUSE')) return `${portOf(error)} is in use already. Set PORT to another one.`
  if (hasCode(error, 'EADDRNOTAVAIL')) return 'HOST is not an address of this machine.'
  if (hasCode(error, 'EACCES')) return 'No permission for PORT; those below 1024 need it.'
  if (hasCode(error, 'ENOTSUP')) return 'This system lets only one process listen at an address. Set WORKERS to 1.'
  return error.message
}

const portOf = (error: Error): string => ('port' in error ? `Port ${error.port}` : 'The port')
