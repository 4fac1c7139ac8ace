import type { FastifyReply, FastifyRequest } from 'fastify'
import { responseCodes } from '../../../contract/envelope.ts'
import { operations } from '../../../contract/index.ts'
import type { Context } from '../../context.ts'
import { privateNoStore } from '../../core/cache-control.ts'
import { envelope, jsonHeaders, successMessage, varyBySender } from '../../core/envelope.ts'
import type { Audience } from '../../core/principal.ts'
import type { WriteResponse } from '../../log/idempotency/stored-responses.ts'
import type { ResponseBudget } from '../budgets/response-budget.ts'
import type { CachedResponse } from '../cache/cached-response.ts'
import { drainRequestBody } from '../request/body-stream.ts'
import { policyOf } from './browser-policy.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The response_code of the response, for logs and metrics; 0 for files, images and HTML. */
    responseCode: number
  }
}

/** Alternating names and values, as `writeHead` accepts them. */
export type HeaderList = (string | number)[]

const publicHeaders = ['vary', varyBySender, 'content-type', jsonHeaders['content-type']]
const privateHeaders = [...publicHeaders, 'cache-control', privateNoStore]

const headersByAudience: Readonly<Record<Audience, readonly string[]>> = {
  open: ['vary', jsonHeaders.vary, 'content-type', jsonHeaders['content-type']],
  public: publicHeaders,
  participant: privateHeaders,
  organizer: privateHeaders,
}

const headersFor = ({ request }: FastifyReply): readonly string[] =>
  isSignIn(request) ? privateHeaders : headersByAudience[request.principal.audience]

/** Whether a response may hold a secret, for a sender who is still nobody. */
const isSignIn = ({ operation }: FastifyRequest): boolean =>
  operation !== undefined && 'signIn' in operations[operation].access

/**
 * A body up to this size is copied into one packet with its head, which is cheaper than two; a larger one is not
 * copied.
 */
const smallBytes = 8 * 1024

/** Sends a cached response. @throws Failure UNAVAILABLE if its client has too many unread */
export function sendCached(
  reply: FastifyReply,
  cached: CachedResponse,
  createdAt: string,
  budget: ResponseBudget,
): void {
  const body = cached.at(createdAt)
  budget.assertAvailableTo(reply.request.raw, body, body.length)
  const headers = [...headersFor(reply), ...policyOf(reply), 'content-length', body.length]
  if (sendRaw(reply, 200, headers, body, responseCodes.success)) return
  cached.markShared()
  budget.reserve(reply.raw, body, body.length)
}

export interface JsonResponse extends WriteResponse {
  /** Whether the request was executed before, under the same idempotency key. */
  replayed: boolean
  /** Values of `Set-Cookie`; none if it was executed before. */
  cookies: readonly string[]
}

/** Sends a response that is not cached: the result of a write, or what is for one person only. */
export function sendJson(
  reply: FastifyReply,
  { signatureKey, timestamp, clock }: Context,
  { responseCode, dataText, replayed, cookies }: JsonResponse,
  budget: ResponseBudget,
): void {
  const body = envelope(signatureKey, responseCode, dataText, timestamp(clock()), successMessage(responseCode))
  const size = Buffer.byteLength(body)
  const headers: HeaderList = [...headersFor(reply), ...policyOf(reply), 'content-length', size]
  if (replayed) headers.push('idempotency-replayed', 'true')
  for (const cookie of cookies) headers.push('set-cookie', cookie)
  if (!sendRaw(reply, 200, headers, body, responseCode)) budget.reserve(reply.raw, reply.raw, size)
}

/**
 * Sends a response from memory, bypassing Fastify's serialization, which takes as long as everything else about a
 * cached response. Sends nothing if the request already has a response, as one rejected at shutdown does.
 * @returns whether the kernel has accepted all of it, or nothing was sent
 */
export function sendRaw(
  reply: FastifyReply,
  status: number,
  headers: Readonly<HeaderList>,
  body?: Buffer | string,
  responseCode = 0,
): boolean {
  const { request, raw } = reply
  if (reply.sent || raw.headersSent) return true
  if (!request.raw.complete) drainRequestBody(request.raw)
  request.responseCode = responseCode
  raw.writeHead(status, ['request-id', request.id, ...headers])
  reply.hijack()
  if (body instanceof Buffer && body.length <= smallBytes) raw.end(body.toString('latin1'), 'latin1')
  else raw.end(body)
  return raw.writableLength === 0
}
