import { quotesValues } from '../../storage/db/errors.ts'

interface DescribedError {
  /** The class. */
  type: string
  message: string
  code?: string
  stack: string
  cause?: DescribedError
  errors?: DescribedError[]
}

/** Causes of causes that are described. */
const maxDepth = 5

/**
 * An error as the log has it. Its members are listed, because others contain what clients send, such as the `detail` of a
 * violated constraint. A message that may quote it is left out.
 */
export function describeError(error: unknown, depth = maxDepth): DescribedError {
  if (!(error instanceof Error)) return { type: typeof error, message: '', stack: '' }
  const type = error.constructor.name
  const message = error instanceof SyntaxError || quotesValues(error) ? '' : error.message
  return {
    type,
    message,
    ...('code' in error && typeof error.code === 'string' && { code: error.code }),
    stack: [message === '' ? type : `${type}: ${message}`, ...framesOf(error)].join('\n'),
    ...(error.cause !== undefined && depth > 0 && { cause: describeError(error.cause, depth - 1) }),
    ...(error instanceof AggregateError && depth > 0 && { errors: error.errors.map((one) => describeError(one, 0)) }),
  }
}

/** The calls in a stack, which begins with the message. */
const framesOf = ({ stack = '', message }: Error): string[] =>
  stack
    .replace(message, () => '')
    .split('\n')
    .filter((line) => /^ +at /.test(line))
