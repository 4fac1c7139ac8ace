import type { IncomingMessage } from 'node:http'
import { isSpecified } from '../../../contract/access.ts'
import type { Limits } from '../../../contract/limits.ts'
import type { Operation } from '../../../contract/operation.ts'
import { acceptsFiles, partOf } from '../../../contract/uploads.ts'
import { Failure } from '../../core/failure.ts'
import type { FilePart } from '../../domains/files/uploads.ts'
import type { BlobStore } from '../../storage/blobs/blob-store.ts'
import type { BodyBudget, ReserveMemory } from '../budgets/body-budget.ts'
import { bodyChunks, hasBody, moreBytesThan } from './body-stream.ts'
import { type FormSyntax, parseForm } from './form.ts'
import { parseJson } from './json.ts'
import { maxFormBytes, readMultipart } from './multipart.ts'

/** A request body in any encoding: its members, and the file parts of a multipart form. */
export interface Body {
  /** Undefined if the body is JSON but not an object. */
  members: Readonly<Record<string, unknown>> | undefined
  /** Staged already; the caller stores or discards them. */
  parts: FilePart[]
  /** The field names of other files, whose content was discarded. */
  strayFiles: string[]
}

/**
 * Bytes that a client has to send in each interval until its body is complete: 500 bytes a second, far below any usable
 * mobile network. Without a minimum rate, an occasional byte would hold a connection and a file for ever.
 */
const minRate = { bytes: 15_000, intervalMs: 30_000 }

/** The maximum bytes of the body of a sign-in, which anyone may send. */
const signInBytes = 16 * 1024

/**
 * The limits of the body of an operation. Operations of the interface specification, and those that accept files, discard
 * others.
 */
export function limitsOf(operation: Operation, limits: Limits): Limits {
  if (isSpecified(operation.access) || acceptsFiles(operation) || partOf(operation)) return limits
  const jsonBytes = 'signIn' in operation.access ? Math.min(limits.jsonBytes, signInBytes) : limits.jsonBytes
  return { ...limits, jsonBytes, files: 0 }
}

/** Rejects a body whose Content-Length is too large. @throws Failure TOO_LARGE */
export function assertSize(request: IncomingMessage, limits: Limits): void {
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced <= limits.jsonBytes) return
  const maxBytes = maxBytesOf(mediaTypeOf(request), limits)
  if (announced > maxBytes) throw moreBytesThan(maxBytes)
}

const maxBytesOf = (mediaType: string, limits: Limits): number =>
  mediaType === 'multipart/form-data' ? maxFormBytes(limits) : limits.jsonBytes

const mediaTypeOf = ({ headers }: IncomingMessage): string =>
  (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''

/**
 * Reads the body of a request. JSON, urlencoded and multipart bodies are equivalent. If it fails, no staged file
 * remains.
 * @param blobs undefined to discard all files
 * @param partName the name that a file part may have, besides those of uploads
 * @param syntax that of forms
 * @param onAccepted called before the body is read, once its headers are accepted
 * @throws Failure UNSUPPORTED_MEDIA_TYPE, TOO_LARGE, TOO_MANY_FILES, MALFORMED_JSON, MALFORMED_FORM, BODY_TOO_SLOW,
 *   UNAVAILABLE if other bodies use all the memory for bodies, BAD_REQUEST if the client disconnects
 */
export async function readBody(
  request: IncomingMessage,
  blobs: BlobStore | undefined,
  limits: Limits,
  budget: BodyBudget,
  partName: string | undefined,
  syntax: FormSyntax,
  onAccepted: () => void,
): Promise<Body> {
  const mediaType = mediaTypeOf(request)
  const maxBytes = maxBytesOf(mediaType, limits)
  if (!isSupported(request, mediaType)) throw new Failure('UNSUPPORTED_MEDIA_TYPE')
  onAccepted()
  switch (mediaType) {
    case 'multipart/form-data':
      return receive(request, maxBytes, budget, (chunks, reserve) => {
        return readMultipart(chunks, request.headers['content-type'] ?? '', blobs, limits, partName, syntax, reserve)
      })
    case 'application/json':
      return { members: parseJson(await readAll(request, maxBytes, budget)), ...noFiles }
    case 'application/x-www-form-urlencoded':
      return { members: parseForm(await readAll(request, maxBytes, budget), syntax), ...noFiles }
    default:
      return { members: {}, ...noFiles }
  }
}

const mediaTypes = new Set(['multipart/form-data', 'application/json', 'application/x-www-form-urlencoded'])

const isSupported = (request: IncomingMessage, mediaType: string): boolean =>
  request.headers['content-encoding'] === undefined && (mediaTypes.has(mediaType) || !hasBody(request))

/** For every encoding other than multipart. */
const noFiles = { parts: [], strayFiles: [] }

/** Reads a whole body. A small one usually arrives with its head, and then needs no timeout and no budget. */
async function readAll(request: IncomingMessage, maxBytes: number, budget: BodyBudget): Promise<Buffer> {
  // The head may still be being parsed; the rest of its packet is parsed as soon as we yield.
  await undefined
  // `complete` becomes true only after the body has been read.
  const isBuffered = request.readableLength === Number(request.headers['content-length']) && !request.destroyed
  const buffered: Buffer | null = isBuffered ? request.read() : null
  return buffered ?? receive(request, maxBytes, budget, collect)
}

/** Runs `read` on the chunks of the body, which fail if the client sends more slowly than {@link minRate}. */
async function receive<T>(
  request: IncomingMessage,
  maxBytes: number,
  budget: BodyBudget,
  read: (chunks: AsyncIterable<Buffer, void>, reserve: ReserveMemory) => Promise<T>,
): Promise<T> {
  const tooSlow = new AbortController()
  let before = request.socket.bytesRead
  const timer = setInterval(() => {
    if (request.socket.bytesRead < before + minRate.bytes) tooSlow.abort(new Failure('BODY_TOO_SLOW'))
    before = request.socket.bytesRead
  }, minRate.intervalMs)
  try {
    return await budget.run((reserve) => read(bodyChunks(request, maxBytes, tooSlow.signal), reserve))
  } finally {
    clearInterval(timer)
  }
}

async function collect(chunks: AsyncIterable<Buffer, void>, reserve: ReserveMemory): Promise<Buffer> {
  const collected: Buffer[] = []
  for await (const chunk of chunks) {
    if (!reserve(chunk.length)) throw new Failure('UNAVAILABLE')
    collected.push(chunk)
  }
  return Buffer.concat(collected)
}
