import type { FastifyReply, FastifyRequest } from 'fastify'
import { failures } from '../../../contract/failures.ts'
import type { Context } from '../../context.ts'
import { envelope, jsonHeaders, varyBySender } from '../../core/envelope.ts'
import type { Failure } from '../../core/failure.ts'
import { routedPath } from '../request/path.ts'
import { failureData, prefersProblem, recordFailure, sendProblem, setFailureHeaders } from './failures.ts'

/**
 * Under `/api` a failure is an envelope with status 200 unless the client prefers RFC 9457; elsewhere it is always RFC
 * 9457.
 */
export function sendFailure(
  ctx: Context,
  failure: Failure,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { reason, fields } = failure
  const { code, message } = failures[reason]
  recordFailure(request, failure)
  reply.header('request-id', request.id).header('vary', ctx.config.access === 'open' ? jsonHeaders.vary : varyBySender)
  setFailureHeaders(reply, failure)
  if (!isUnderApi(request) || prefersProblem(request.headers.accept)) return sendProblem(request, reply, failure)
  const dataText = JSON.stringify(failureData(reason, fields, request.id))
  return reply
    .code(200)
    .header('content-type', jsonHeaders['content-type'])
    .send(envelope(ctx.signatureKey, code, dataText, ctx.timestamp(ctx.clock()), message))
}

const isUnderApi = ({ url }: FastifyRequest): boolean => /^\/api(\/|$)/.test(routedPath(url))
