import type { FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import type { FailedField, FailureData, Problem } from '../../../contract/envelope.ts'
import {
  type FailureReason,
  failures,
  httpStatusOf,
  maxFailedFields,
  retryAfterSeconds,
} from '../../../contract/failures.ts'
import { hasCode } from '../../core/error-code.ts'
import { Failure } from '../../core/failure.ts'
import { engineFailureReason } from '../../db/errors.ts'
import { piecesOf } from '../request/piece-budget.ts'

/** The failure behind whatever was thrown; a bug of ours is `INTERNAL`, with the bug as its cause. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  const reason = engineFailureReason(error) ?? failureOfSystem(error) ?? failureOfFramework(error) ?? 'INTERNAL'
  return new Failure(reason, { cause: error })
}

/** Connections and files that are open count together; there is room again when some of them are closed. */
const failureOfSystem = (error: unknown): FailureReason | undefined =>
  hasCode(error, 'EMFILE') || hasCode(error, 'ENFILE') ? 'UNAVAILABLE' : undefined

/**
 * Errors of Fastify and its plugins, before or around a handler (https://fastify.dev/docs/latest/Reference/Errors/):
 * a request that they refuse for a reason of their own, such as a path that cannot be decoded, is a bad request, and
 * a path that they do not serve leads nowhere.
 */
function failureOfFramework(error: unknown): FailureReason | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('statusCode' in error)) return undefined
  const status = Number(error.statusCode)
  if (!String(error.code).startsWith('FST_') || status >= 500) return undefined
  return status === 403 || status === 404 ? 'NO_SUCH_ROUTE' : 'BAD_REQUEST'
}

export const failureData = (reason: FailureReason, fields: FailedField[], requestId: string): FailureData => ({
  message: failures[reason].message,
  reason,
  fields: fields.slice(0, maxFailedFields),
  request_id: requestId,
})

/** Whether the client would rather have RFC 9457 than the envelope; `Accept` ranks them (RFC 9110, 12.5.1). */
export function prefersProblem(accept: string | undefined): boolean {
  if (!accept?.includes('problem+json')) return false
  const ranked = new Negotiator({ headers: { accept } }).mediaTypes(['application/json', 'application/problem+json'])
  return ranked[0] === 'application/problem+json'
}

/** Answers a failure as RFC 9457, with its true status. */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, { reason, fields }: Failure): FastifyReply {
  const { message, ...rest } = failureData(reason, fields, request.id)
  const { code } = failures[reason]
  const status = httpStatusOf(reason)
  const problem: Problem = { type: 'about:blank', title: message, status, code, ...rest }
  return reply
    .code(status)
    .header('content-type', 'application/problem+json; charset=utf-8')
    .send(JSON.stringify(problem))
}

/** Headers that go with a failure whichever way it is written. */
export function setFailureHeaders(reply: FastifyReply, { reason }: Failure): void {
  const seconds = retryAfterSeconds[reason]
  // What failed may work the next time.
  reply.header('cache-control', 'no-store')
  if (seconds !== undefined) reply.header('retry-after', String(seconds))
  if (reason === 'BODY_TOO_SLOW' || piecesOf(reply.request.raw).isSpent) reply.header('connection', 'close')
}
