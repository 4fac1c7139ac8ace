import type { FastifyBaseLogger } from 'fastify'
import { pino } from 'pino'
import type { Config } from '../config.ts'
import type { Answered } from './answered.ts'

/** Bytes of the log that are written at once; a line by itself would cost a call of the system for each answer. */
const atOnce = 8 * 1024

/** No line waits longer than this to be written, however quiet it is. */
const waitMs = 200

/**
 * The logger: one JSON object a line on standard output.
 * @returns it, and what writes all that still waits; that happens by itself when the process ends, however it ends
 */
export function createLogger(level: Config['logLevel']): { log: FastifyBaseLogger; close: () => void } {
  const output = pino.destination({ dest: 1, sync: true, minLength: atOnce, periodicFlush: waitMs })
  const flush = () => output.flushSync()
  process.on('exit', flush)
  return {
    log: pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, output),
    close: () => {
      flush()
      process.off('exit', flush)
    },
  }
}

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
