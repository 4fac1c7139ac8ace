import type { FastifyReply, FastifyRequest } from 'fastify'
import { asFailure } from './failures.ts'

/**
 * Logs an error after the response. Only an unexpected one is logged as such: requests that were rejected at shutdown
 * may fail later.
 * @throws the error if there is no response yet
 */
export function logIfLate(error: unknown, { id, server }: FastifyRequest, { sent }: FastifyReply): void {
  if (!sent) throw error
  server.log[asFailure(error).reason === 'INTERNAL' ? 'error' : 'debug'](
    { reqId: id, err: error },
    'request failed after its response',
  )
}
