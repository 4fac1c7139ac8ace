import { once } from 'node:events'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import parseRange from 'range-parser'
import { privateNoCache, privateNoStore } from '../../core/cache-control.ts'
import { varyByAccept } from '../../core/envelope.ts'
import { Failure } from '../../core/failure.ts'
import { isPrivate } from '../../core/principal.ts'
import type { ByteResponse, Download } from '../../operation.ts'
import { DamagedBlob } from '../../storage/blobs/damaged-blob.ts'
import { servedMediaType } from '../../storage/blobs/media-type.ts'
import { type HeaderList, sendRaw } from './respond.ts'

/**
 * Sends bytes with validators (RFC 9110: 304 by `If-None-Match`, 206 and 416 by `Range`, `If-Range`), and with headers
 * that keep them from acting as a page of our origin.
 * @param onDamaged called for damaged stored bytes. If the headers have not been sent, the response is a failure;
 *   otherwise the connection is closed, so that nothing after them is mistaken for the missing rest
 * @throws Failure INTERNAL
 */
export async function sendBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  response: ByteResponse,
  onDamaged: (damaged: DamagedBlob) => void,
): Promise<FastifyReply | undefined> {
  if (response.damaged) onDamaged(response.damaged)
  try {
    return await sendOrThrowDamaged(request, reply, response, onDamaged)
  } catch (error) {
    if (!(error instanceof DamagedBlob)) throw error
    onDamaged(error)
    throw new Failure('INTERNAL')
  }
}

/** @throws DamagedBlob before anything is sent */
async function sendOrThrowDamaged(
  request: FastifyRequest,
  reply: FastifyReply,
  response: ByteResponse,
  onDamaged: (damaged: DamagedBlob) => void,
): Promise<FastifyReply | undefined> {
  const etag = `"${response.sha256.slice(0, 32)}"`
  const isNotModified = matchesEtag(request.headers['if-none-match'], etag)
  // Before any header is set: a failure to measure or open must not be sent with the headers of the file.
  const size = isNotModified ? 0 : await response.size()
  const range = isNotModified ? undefined : parseRangeHeader(request, size, etag)
  const needsBytes = !isNotModified && range !== 'unsatisfiable' && request.method !== 'HEAD'
  const bytes = needsBytes ? await response.open(range) : undefined
  if (request.method === 'HEAD' && !isNotModified) await response.verify?.()
  if (bytes instanceof Readable) {
    bytes.on('error', (error) => {
      if (error instanceof DamagedBlob) onDamaged(error)
    })
    await waitForFirstBytes(bytes)
  }

  // Not longer, because access may be withdrawn.
  const isShared = response.cacheControl !== privateNoCache
  const cacheControl =
    isShared && isPrivate(request.principal.audience) ? 'private, max-age=300' : response.cacheControl
  const headers: HeaderList = [
    ...['content-type', servedMediaType(response.fileType)],
    ...reply.server.browserPolicy.bytes,
    ...['cache-control', range === 'unsatisfiable' ? 'no-store' : cacheControl],
    ...['accept-ranges', 'bytes'],
    ...['vary', varyByAccept],
    ...['etag', etag],
  ]
  if (response.attachment !== undefined) headers.push('content-disposition', attachmentDisposition(response.attachment))
  if (isNotModified) return void sendRaw(reply, 304, headers)
  if (range === 'unsatisfiable')
    return void sendRaw(reply, 416, [...headers, 'content-range', `bytes */${size}`, 'content-length', 0])
  headers.push('content-length', range ? range.end - range.start + 1 : size)
  if (range) headers.push('content-range', `bytes ${range.start}-${range.end}/${size}`)
  const status = range ? 206 : 200
  if (bytes instanceof Readable) return sendStream(reply, status, headers, bytes)
  sendRaw(reply, status, headers, bytes)
}

/** A failure to read the first bytes must not be sent with the headers of the file. */
async function waitForFirstBytes(bytes: Readable): Promise<void> {
  try {
    await once(bytes, 'readable')
  } catch (cause) {
    // Already reported by the `error` listener.
    throw cause instanceof DamagedBlob ? new Failure('INTERNAL') : cause
  }
}

export function sendStream(reply: FastifyReply, status: number, headers: HeaderList, bytes: Readable): FastifyReply {
  // The request was rejected meanwhile, as at shutdown.
  if (reply.sent) {
    bytes.destroy()
    return reply
  }
  for (let index = 0; index < headers.length; index += 2) reply.header(String(headers[index]), headers[index + 1])
  return reply.code(status).send(bytes)
}

/** Weak comparison (RFC 9110, 13.1.2). */
function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header.split(',').some((value) => value.trim() === '*' || value.trim().replace(/^W\//, '') === etag)
}

/**
 * Parses a single range. Several ranges, one that ends before it starts, or one for another version of the bytes are
 * ignored, and the whole is sent (RFC 9110, 14.1.1 and 14.2).
 */
function parseRangeHeader(request: FastifyRequest, size: number, etag: string) {
  const header = request.headers.range
  const ifRange = request.headers['if-range']
  // Ranges are defined for GET only (RFC 9110, 14.2).
  if (header === undefined || request.method !== 'GET' || (ifRange !== undefined && ifRange !== etag)) return undefined
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(header) ?? []
  if (Number(last) < Number(first)) return undefined
  // A suffix longer than the content selects all of it; the parser would call it unsatisfiable.
  if (Number(/^bytes=-(\d+)$/.exec(header)?.[1]) > size) return size > 0 ? { start: 0, end: size - 1 } : undefined
  const ranges = parseRange(size, header, { combine: true })
  if (ranges === -1) return 'unsatisfiable'
  if (ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return undefined
  return ranges[0]
}

/** `Content-Disposition: attachment` with the name in both notations (RFC 6266, RFC 8187). */
export function attachmentDisposition(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}

/**
 * Sends a file of unknown size about one person. If it cannot be completed, the connection is closed, so that a client
 * does not take the beginning for the whole.
 * @param onDamaged called for stored bytes that are missing in it
 */
export function sendDownload(
  request: FastifyRequest,
  reply: FastifyReply,
  { fileType, attachment, open }: Download,
  onDamaged: (damaged: DamagedBlob) => void,
): FastifyReply | undefined {
  const headers: HeaderList = [
    ...['content-type', fileType],
    ...['content-disposition', attachmentDisposition(attachment)],
    ...reply.server.browserPolicy.bytes,
    ...['cache-control', privateNoStore],
    ...['vary', varyByAccept],
  ]
  if (request.method === 'HEAD') return void sendRaw(reply, 200, headers)
  return sendStream(reply, 200, headers, open(onDamaged))
}
