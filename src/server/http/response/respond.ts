import type { FastifyReply } from 'fastify'
import { responseCodes } from '../../../contract/envelope.ts'
import type { CachedResponse } from '../../cache/cached-response.ts'
import { jsonHeaders } from '../../core/envelope.ts'
import type { ResponseBudget } from '../../core/response-budget.ts'
import { drainRequestBody } from '../request/drain-body.ts'
import type { WriteResult } from '../write.ts'

/** Names and values in turns, as `writeHead` takes them. */
export type HeaderList = (string | number)[]

const jsonHead = ['vary', jsonHeaders.vary, 'content-type', jsonHeaders['content-type']]

/** A body up to here goes out in one packet with its head, which costs less than two; a larger one is sent from where it is. */
const smallBytes = 8 * 1024

/** Sends cached bytes. */
export function sendCached(
  reply: FastifyReply,
  cached: CachedResponse,
  createdAt: string,
  budget: ResponseBudget,
): void {
  const body = cached.at(createdAt)
  if (sendWhole(reply, 200, [...jsonHead, 'content-length', body.length], body, responseCodes.success)) return
  cached.markShared()
  budget.reserve(reply.raw, body, body.length)
}

/** Sends what a write responds with. */
export function sendWritten(
  reply: FastifyReply,
  { responseCode, body, replayed }: WriteResult,
  budget: ResponseBudget,
): void {
  const size = Buffer.byteLength(body)
  const replay = replayed ? ['idempotency-replayed', 'true'] : []
  if (!sendWhole(reply, 200, [...replay, ...jsonHead, 'content-length', size], body, responseCode))
    budget.reserve(reply.raw, reply.raw, size)
}

/**
 * Sends a response that is in memory, past Fastify's stages of serialization: they take as long as everything else about a
 * cached response. Sends nothing to a request that was refused meanwhile, as at shutdown.
 * @returns whether the kernel has taken all of it already
 */
export function sendWhole(
  reply: FastifyReply,
  status: number,
  headers: HeaderList,
  body?: Buffer | string,
  responseCode = 0,
): boolean {
  const { request, raw } = reply
  if (reply.sent || raw.headersSent) return true
  drainRequestBody(request.raw)
  request.responseCode = responseCode
  reply.hijack()
  raw.writeHead(status, ['request-id', request.id, ...headers])
  if (body instanceof Buffer && body.length <= smallBytes) raw.end(body.toString('latin1'), 'latin1')
  else raw.end(body)
  return raw.writableLength === 0
}
