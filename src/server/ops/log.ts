import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { pino } from 'pino'
import type { Config } from '../config.ts'

/** The logger: one JSON object a line on standard output. */
export const createLogger = (level: Config['logLevel']): FastifyBaseLogger =>
  pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime })

/**
 * One line for each answer, keyed on the request's id. It names the operation and never the address: that may come
 * to hold a secret, as personal base URLs do.
 */
export function logAnswers(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        operation: request.routeOptions.config.operation,
        method: request.method,
        response_code: request.responseCode || undefined,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      'answered',
    )
  })
}
