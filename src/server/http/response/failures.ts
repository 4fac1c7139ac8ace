import type { FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import type { FailureData, Problem } from '../../../contract/envelope.ts'
import { type FailureReason, failures, httpStatusOf, maxFailedFields } from '../../../contract/failures.ts'
import { readBearerToken } from '../../auth/identify.ts'
import type { Context } from '../../context.ts'
import { envelope, jsonHeaders, varyBySender } from '../../core/envelope.ts'
import { hasCode } from '../../core/errors.ts'
import { Failure } from '../../core/failure.ts'
import { DatabaseDamaged } from '../../storage/db/damage.ts'
import { engineFailureReason } from '../../storage/db/errors.ts'
import { chunkBudgetOf } from '../request/body-stream.ts'
import { routedPath } from '../request/path.ts'

/** Converts anything thrown to a failure; an unexpected error becomes the cause of an `INTERNAL` one. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  const ofFramework = failureOfFramework(error)
  // Messages of these errors quote the request, such as a URL that contains a key.
  if (ofFramework) return new Failure(ofFramework)
  return new Failure(engineFailureReason(error) ?? failureOfSystem(error) ?? 'INTERNAL', { cause: error })
}

/** Open connections and files share one limit; the condition passes when some of them are closed. */
const failureOfSystem = (error: unknown): FailureReason | undefined =>
  hasCode(error, 'EMFILE') || hasCode(error, 'ENFILE') ? 'UNAVAILABLE' : undefined

/**
 * Maps errors of Fastify and its plugins (https://fastify.dev/docs/latest/Reference/Errors/): a request that they
 * reject, such as one with a path that cannot be decoded, is a bad request, and a path that they do not serve has no
 * route.
 */
function failureOfFramework(error: unknown): FailureReason | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('statusCode' in error)) return undefined
  const status = Number(error.statusCode)
  if (!String(error.code).startsWith('FST_') || status >= 500) return undefined
  return status === 403 || status === 404 ? 'NO_SUCH_ROUTE' : 'BAD_REQUEST'
}

/** Records a failure for the response log and metrics, and logs its cause. */
export function recordFailure(request: FastifyRequest, failure: Failure): void {
  const { reason, cause } = failure
  request.responseCode = failures[reason].code
  if (cause !== undefined)
    request.server.log[logLevelOf(failure)]({ reqId: request.id, err: cause, reason }, 'request failed')
}

/** An unavailable dependency fails every request but is not a bug here, so it is only a warning. */
const logLevelOf = ({ reason, cause }: Failure): 'error' | 'warn' | 'debug' => {
  // The sender may be an app that the operator wants to allow.
  if (reason === 'CROSS_ORIGIN') return 'warn'
  // Already logged when it was found.
  if (cause instanceof DatabaseDamaged) return 'debug'
  const status = httpStatusOf(reason)
  return status === 503 ? 'warn' : status >= 500 ? 'error' : 'debug'
}

const failureData = ({ reason, fields, current }: Failure, requestId: string): FailureData => ({
  message: failures[reason].message,
  reason,
  fields: fields.slice(0, maxFailedFields),
  request_id: requestId,
  ...(current && { current }),
})

/** Whether the client prefers RFC 9457 over the envelope, by the ranking in `Accept` (RFC 9110, 12.5.1). */
function prefersProblem(accept: string | undefined): boolean {
  if (!accept?.includes('problem+json')) return false
  const ranked = new Negotiator({ headers: { accept } }).mediaTypes(['application/json', 'application/problem+json'])
  return ranked[0] === 'application/problem+json'
}

/** Sends a failure as RFC 9457, with its HTTP status. */
function sendProblem(request: FastifyRequest, reply: FastifyReply, failure: Failure): FastifyReply {
  const { reason } = failure
  const { message, ...rest } = failureData(failure, request.id)
  const { code } = failures[reason]
  const status = httpStatusOf(reason)
  const problem: Problem = { type: 'about:blank', title: message, status, code, ...rest }
  return reply
    .code(status)
    .header('content-type', 'application/problem+json; charset=utf-8')
    .send(JSON.stringify(problem))
}

/** Sets the headers of a failure, in either format. */
export function setFailureHeaders(reply: FastifyReply, { reason, retryAfterSeconds }: Failure): void {
  // A retry may succeed.
  reply.header('cache-control', 'no-store')
  if (reason === 'UNAUTHENTICATED' || reason === 'CREDENTIAL_EXPIRED')
    reply.header('www-authenticate', challengeFor(reply.request))
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  if (reason === 'BODY_TOO_SLOW' || chunkBudgetOf(reply.request.raw).isExceeded) reply.header('connection', 'close')
}

/** RFC 6750, 3: there is an error only if there was a key. */
const challengeFor = ({ raw }: FastifyRequest): string =>
  readBearerToken(raw) === undefined ? 'Bearer' : 'Bearer error="invalid_token"'

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
  const { reason } = failure
  const { code, message } = failures[reason]
  recordFailure(request, failure)
  const { isIdentified = ctx.config.access !== 'open' } = request
  reply.header('request-id', request.id).header('vary', isIdentified ? varyBySender : jsonHeaders.vary)
  setFailureHeaders(reply, failure)
  if (!isUnderApi(request) || prefersProblem(request.headers.accept)) return sendProblem(request, reply, failure)
  const dataText = JSON.stringify(failureData(failure, request.id))
  return reply
    .code(200)
    .header('content-type', jsonHeaders['content-type'])
    .send(envelope(ctx.signatureKey, code, dataText, ctx.timestamp(ctx.clock()), message))
}

const isUnderApi = ({ url }: FastifyRequest): boolean => /^\/api(\/|$)/.test(routedPath(url))

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
