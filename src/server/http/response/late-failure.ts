import type { FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '../../core/failure.ts'

/**
 * A failure after the response was sent, as for a request that was rejected at shutdown, is not an error. Fastify would
 * log it as one.
 */
export function ignoreIfLate(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (!(reply.sent && error instanceof Failure)) throw error
  request.log.debug({ reqId: request.id, err: error }, 'request failed after its response')
}
