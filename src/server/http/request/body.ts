import type { IncomingMessage } from 'node:http'
import type { Limits } from '../../../contract/limits.ts'
import type { BlobStore } from '../../blobs/blob-store.ts'
import { Failure } from '../../core/failure.ts'
import type { FilePart } from '../../files/uploads.ts'
import type { BodyBudget, Reserve } from './body-budget.ts'
import { bodyChunks } from './body-chunks.ts'
import { hasBody } from './drain-body.ts'
import { parseForm } from './form.ts'
import { parseJson } from './json.ts'
import { maxFormBytes, readMultipart } from './multipart.ts'

/** A request body, whatever it was encoded as: its members, and the file parts that multipart brought. */
export interface Body {
  /** Undefined for JSON that is not an object. */
  members: Readonly<Record<string, unknown>> | undefined
  /** Staged already; who takes the body stores or discards them. */
  parts: FilePart[]
  /** The names of fields under which other files came, of which nothing is kept. */
  strayFiles: string[]
}

/**
 * A body has to bring so many bytes in each of these spans, or its end: 500 bytes a second, far below any mobile network
 * that works at all. Without a rate, a byte now and then would hold a connection and a file for ever.
 */
const leastRate = { bytes: 15_000, inMs: 30_000 }

/** Refuses a body that is announced as too large. @throws Failure TOO_LARGE */
export function assertSize(request: IncomingMessage, limits: Limits): void {
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > limits.jsonBytes && announced > maxBytesOf(mediaTypeOf(request), limits))
    throw new Failure('TOO_LARGE')
}

const maxBytesOf = (mediaType: string, limits: Limits): number =>
  mediaType === 'multipart/form-data' ? maxFormBytes(limits) : limits.jsonBytes

const mediaTypeOf = ({ headers }: IncomingMessage): string =>
  (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''

/**
 * Reads the body of a request. JSON, urlencoded and multipart mean the same.
 * @param invite called once the body is wanted, before it is read
 * @throws Failure UNSUPPORTED_MEDIA_TYPE, TOO_LARGE, TOO_MANY_FILES, MALFORMED_JSON, MALFORMED_FORM, BODY_TOO_SLOW,
 *   UNAVAILABLE when others take all the memory there is for bodies, BAD_REQUEST when the client goes away; no file stays
 *   behind then
 */
export async function readBody(
  request: IncomingMessage,
  blobs: BlobStore,
  limits: Limits,
  memory: BodyBudget,
  invite: () => void,
): Promise<Body> {
  const mediaType = mediaTypeOf(request)
  const maxBytes = maxBytesOf(mediaType, limits)
  if (!isReadable(request, mediaType)) throw new Failure('UNSUPPORTED_MEDIA_TYPE')
  invite()
  switch (mediaType) {
    case 'multipart/form-data':
      return receive(request, maxBytes, memory, (chunks, hold) => {
        return readMultipart(chunks, request.headers['content-type'] ?? '', blobs, limits, hold)
      })
    case 'application/json':
      return { members: parseJson(await readAll(request, maxBytes, memory)), ...noFiles }
    case 'application/x-www-form-urlencoded':
      return { members: parseForm(await readAll(request, maxBytes, memory)), ...noFiles }
    default:
      return { members: {}, ...noFiles }
  }
}

const mediaTypes = new Set(['multipart/form-data', 'application/json', 'application/x-www-form-urlencoded'])

const isReadable = (request: IncomingMessage, mediaType: string): boolean =>
  request.headers['content-encoding'] === undefined && (mediaTypes.has(mediaType) || !hasBody(request))

/** What a body brings in any encoding but one. */
const noFiles = { parts: [], strayFiles: [] }

/** A small body comes with its head, and then there is nothing to watch. */
async function readAll(request: IncomingMessage, maxBytes: number, memory: BodyBudget): Promise<Buffer> {
  // We may be called while the head is being parsed; what came with it is parsed as soon as we return.
  await undefined
  // `complete` comes only once the body is read.
  const isThere = request.readableLength === Number(request.headers['content-length']) && !request.destroyed
  const there: Buffer | null = isThere ? request.read() : null
  return there ?? receive(request, maxBytes, memory, collect)
}

/** Runs `read`, and makes it fail when the socket brings less than {@link leastRate}. */
async function receive<T>(
  request: IncomingMessage,
  maxBytes: number,
  memory: BodyBudget,
  read: (chunks: AsyncIterable<Buffer, void>, hold: Reserve) => Promise<T>,
): Promise<T> {
  const tooSlow = new AbortController()
  let seen = request.socket.bytesRead
  const watch = setInterval(() => {
    if (request.socket.bytesRead < seen + leastRate.bytes) tooSlow.abort(new Failure('BODY_TOO_SLOW'))
    seen = request.socket.bytesRead
  }, leastRate.inMs)
  try {
    return await memory.receive((hold) => read(bodyChunks(request, maxBytes, tooSlow.signal), hold))
  } finally {
    clearInterval(watch)
  }
}

async function collect(chunks: AsyncIterable<Buffer, void>, hold: Reserve): Promise<Buffer> {
  const held: Buffer[] = []
  for await (const chunk of chunks) {
    if (!hold(chunk.length)) throw new Failure('UNAVAILABLE')
    held.push(chunk)
  }
  return Buffer.concat(held)
}
