import type { FastifyBaseLogger } from 'fastify'
import { pino } from 'pino'
import type { Config } from '../config.ts'
import type { Answered } from './answered.ts'

/** The logger: one JSON object a line on standard output. */
export const createLogger = (level: Config['logLevel']): FastifyBaseLogger =>
  pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime })

/**
 * One line for each answer, keyed on the request's id. It names the operation and never the address: that may come
 * to hold a secret, as personal base URLs do.
 */
export function logAnswer(log: FastifyBaseLogger, answered: Answered): void {
  const { requestId, operation, method, responseCode, status, ms } = answered
  log.info(
    {
      reqId: requestId,
      operation,
      method,
      response_code: responseCode || undefined,
      status,
      ms: Math.round(ms * 10) / 10,
    },
    'answered',
  )
}
