import type { FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '../../core/failure.ts'

/**
 * Logs an error after the response was sent. A failure then is none, as for a request that was rejected at shutdown.
 * @throws the error if there is no response yet
 */
export function logIfLate(error: unknown, { id, server }: FastifyRequest, { sent }: FastifyReply): void {
  if (!sent) throw error
  server.log[error instanceof Failure ? 'debug' : 'error'](
    { reqId: id, err: error },
    'request failed after its response',
  )
}
