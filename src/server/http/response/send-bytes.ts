import { once } from 'node:events'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import parseRange from 'range-parser'
import { DamagedBlob } from '../../blobs/damaged-blob.ts'
import { Failure } from '../../core/failure.ts'
import { servedMediaType } from '../../images/media-type.ts'
import type { ByteResponse } from '../../operation.ts'
import { type HeaderList, sendWhole } from './respond.ts'

/**
 * Answers bytes with validators (RFC 9110: 304 by `If-None-Match`, 206 and 416 by `Range`, `If-Range`).
 * They come with headers under which nothing in them can act as a page of our origin.
 * @param onDamaged called for stored bytes that are damaged. Found before the headers are sent, the response is a
 *   failure; found later, the connection is closed, so that what follows is not taken for the missing rest
 * @throws Failure INTERNAL
 */
export async function sendBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: ByteResponse,
  onDamaged: (damaged: DamagedBlob) => void,
): Promise<FastifyReply | undefined> {
  if (answer.damaged) onDamaged(answer.damaged)
  try {
    return await sendSound(request, reply, answer, onDamaged)
  } catch (error) {
    if (!(error instanceof DamagedBlob)) throw error
    onDamaged(error)
    throw new Failure('INTERNAL')
  }
}

async function sendSound(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: ByteResponse,
  onDamaged: (damaged: DamagedBlob) => void,
): Promise<FastifyReply | undefined> {
  const etag = `"${answer.sha256.slice(0, 32)}"`
  const isKnown = matches(request.headers['if-none-match'], etag)
  // Before any header is set: a failure to measure or open must not be taken for the file.
  const size = isKnown ? 0 : await answer.size()
  const range = isKnown ? undefined : wantedRange(request, size, etag)
  const isAsked = !isKnown && range !== 'unsatisfiable' && request.method !== 'HEAD'
  const bytes = isAsked ? await answer.open(range) : undefined
  if (request.method === 'HEAD' && !isKnown) await answer.verify?.()
  if (bytes instanceof Readable) {
    bytes.on('error', (error) => {
      if (error instanceof DamagedBlob) onDamaged(error)
    })
    await firstRead(bytes)
  }

  const headers: HeaderList = [
    ...['content-type', servedMediaType(answer.fileType)],
    ...['content-security-policy', "sandbox; default-src 'none'"],
    ...['x-content-type-options', 'nosniff'],
    ...['cache-control', range === 'unsatisfiable' ? 'no-store' : answer.cacheControl],
    ...['accept-ranges', 'bytes'],
    ...['vary', 'Accept'],
    ...['etag', etag],
  ]
  if (answer.attachment !== undefined) headers.push('content-disposition', attachment(answer.attachment))
  if (isKnown) return void sendWhole(reply, 304, headers)
  if (range === 'unsatisfiable')
    return void sendWhole(reply, 416, [...headers, 'content-range', `bytes */${size}`, 'content-length', 0])
  headers.push('content-length', range ? range.end - range.start + 1 : size)
  if (range) headers.push('content-range', `bytes ${range.start}-${range.end}/${size}`)
  const status = range ? 206 : 200
  if (bytes instanceof Readable) return sendStream(reply, status, headers, bytes)
  sendWhole(reply, status, headers, bytes)
}

/** Waits for the first bytes: a failure to read them must not come with the headers of the file. */
async function firstRead(bytes: Readable): Promise<void> {
  try {
    await once(bytes, 'readable')
  } catch (cause) {
    // Reported already.
    throw cause instanceof DamagedBlob ? new Failure('INTERNAL') : cause
  }
}

function sendStream(reply: FastifyReply, status: number, headers: HeaderList, bytes: Readable): FastifyReply {
  // Refused meanwhile, as at shutdown.
  if (reply.sent) {
    bytes.destroy()
    return reply
  }
  for (let at = 0; at < headers.length; at += 2) reply.header(String(headers[at]), headers[at + 1])
  return reply.code(status).send(bytes)
}

/** Weak comparison (RFC 9110, 13.1.2). */
function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header.split(',').some((given) => given.trim() === '*' || given.trim().replace(/^W\//, '') === etag)
}

/**
 * One range is served as such; several, one that ends before it begins, or one for other bytes than these, get the whole
 * (RFC 9110, 14.1.1 and 14.2).
 */
function wantedRange(request: FastifyRequest, size: number, etag: string) {
  const header = request.headers.range
  const ifRange = request.headers['if-range']
  // Ranges are defined for GET only (RFC 9110, 14.2).
  if (header === undefined || request.method !== 'GET' || (ifRange !== undefined && ifRange !== etag)) return undefined
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(header) ?? []
  if (Number(last) < Number(first)) return undefined
  // A suffix longer than the bytes are is all of them; the parser would have it unsatisfiable.
  if (Number(/^bytes=-(\d+)$/.exec(header)?.[1]) > size) return size > 0 ? { start: 0, end: size - 1 } : undefined
  const ranges = parseRange(size, header, { combine: true })
  if (ranges === -1) return 'unsatisfiable'
  if (ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return undefined
  return ranges[0]
}

/** `attachment` with the name in both notations (RFC 6266, RFC 8187). */
function attachment(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
