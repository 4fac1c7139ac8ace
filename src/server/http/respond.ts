import type { FastifyReply, FastifyRequest } from 'fastify'
import { responseCodes } from '../../contract/envelope.ts'
import type { CachedResponse } from '../cache/cached-response.ts'
import { jsonHeaders } from '../core/envelope.ts'
import type { ResponseBudget } from '../core/response-budget.ts'
import { dropUnreadBody } from './unread-body.ts'
import type { WriteResult } from './write.ts'

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
  const isSent = sendJson(reply, responseCodes.success, body.length, (raw) => {
    if (body.length <= smallBytes) raw.end(body.toString('latin1'), 'latin1')
    else raw.end(body)
  })
  if (isSent) return
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
  const isSent = sendJson(
    reply,
    responseCode,
    size,
    (raw) => raw.end(body),
    replayed ? ['idempotency-replayed', 'true'] : [],
  )
  if (!isSent) budget.reserve(reply.raw, reply.raw, size)
}

/**
 * Sends JSON past Fastify's stages of serialization, which take as long as everything else about a cached response.
 * Sends nothing when the request was refused meanwhile, as at shutdown.
 * @returns whether the kernel has taken all of it already
 */
function sendJson(
  reply: FastifyReply,
  responseCode: number,
  size: number,
  end: (raw: FastifyReply['raw']) => void,
  headers: string[] = [],
): boolean {
  const { request, raw } = reply
  if (reply.sent || raw.headersSent) return true
  request.responseCode = responseCode
  dropUnreadBody(request.raw)
  reply.hijack()
  raw.writeHead(200, [...headersOf(request), ...headers, 'content-length', size])
  end(raw)
  return raw.writableLength === 0
}

const headersOf = ({ id }: FastifyRequest) => [
  'request-id',
  id,
  'vary',
  jsonHeaders.vary,
  'content-type',
  jsonHeaders['content-type'],
]
