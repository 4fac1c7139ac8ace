import type { IncomingMessage } from 'node:http'
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy'
import type { Limits } from '../../contract/limits.ts'
import { Failure } from '../failure.ts'
import type { Hold } from './body-memory.ts'
import { maxFields } from './form.ts'

/** Bytes of a multipart body, at the most: its files, its text, and what stands around them. */
export const mostBytes = ({ jsonBytes, files, fileBytes }: Limits): number => jsonBytes + files * (fileBytes + 1_024)

/** File parts are those named `uploaded_files`, `uploaded_files[]` or `uploaded_files[3]`; others are ignored. */
const isFilesMember = (name: string | undefined): boolean => /^uploaded_files(\[\d*\])?$/.test(name ?? '')

/** Takes the parts of a form as they arrive. */
export interface PartTaker {
  /** @param value whatever bytes they are */
  field(name: string, value: Buffer): void
  /** Must read the stream to its end. What it rejects with fails the form. */
  file(stream: BusboyFileStream, name: string, declaredType: string): Promise<unknown>
}

/**
 * Parses `multipart/form-data` (RFC 7578) as it arrives, as fast as its files are taken.
 * @returns resolves at the end of the form, when the last file may not be taken yet
 * @throws Failure MALFORMED_FORM, TOO_LARGE, TOO_MANY_FILES, UNAVAILABLE without memory for its text, BAD_REQUEST when
 *   the client goes away, what `take` rejects with, or the signal's reason; every stream has been ended then
 */
export function parseMultipart(
  request: IncomingMessage,
  limits: Limits,
  signal: AbortSignal,
  hold: Hold,
  take: PartTaker,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const busboy = createParser(request, limits)
    const receiving: BusboyFileStream[] = []
    let received = 0
    let textBytes = 0
    let fields = 0
    let files = 0
    let hasFailed = false
    const fail = (error: unknown) => {
      hasFailed = true
      request.unpipe(busboy)
      // The files that are being received would wait for bytes that never come.
      for (const stream of receiving) stream.destroy(new Failure('BAD_REQUEST'))
      reject(error)
    }
    const failAs = (reason: 'TOO_LARGE' | 'BAD_REQUEST') => () => fail(new Failure(reason))
    const malformed = (cause: unknown) => fail(new Failure('MALFORMED_FORM', { cause }))

    const takeField = (name: string, stream: BusboyFileStream) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => {
        textBytes += chunk.length
        if (textBytes > limits.jsonBytes) fail(new Failure('TOO_LARGE'))
        else if (!hold(chunk)) fail(new Failure('UNAVAILABLE'))
        else chunks.push(chunk)
      })
      stream.on('end', () => take.field(name, Buffer.concat(chunks)))
      // When a form fails, the rest of it may still be arriving for a while, see `unread-body.ts`.
      stream.on('close', () => void chunks.splice(0))
    }
    busboy.on('file', (name, stream, fileName, _encoding, declaredType) => {
      // Who takes it sees the error when reading; until then, and for a part that is ignored, an error without a
      // listener would end the process.
      stream.on('error', () => {})
      const isFile = fileName !== undefined || (isFilesMember(name) && declaredType !== 'text/plain')
      if (isFile && ++files > limits.files) fail(new Failure('TOO_MANY_FILES'))
      if (!isFile && ++fields > maxFields) fail(new Failure('TOO_LARGE'))
      // What arrived together with the reason to fail is still parsed, and nobody would end its files any more.
      if (hasFailed || (isFile && !isFilesMember(name))) return void stream.resume()
      receiving.push(stream)
      if (!isFile) return takeField(name, stream)
      // A part may be a file by its type alone, and then there is no name, whatever the types say.
      take.file(stream, fileName ?? '', declaredType).catch(fail)
    })
    busboy.on('partsLimit', failAs('TOO_LARGE'))
    busboy.on('error', malformed)
    busboy.on('finish', resolve)
    request.on('data', (chunk: Buffer) => {
      received += chunk.length
      if (received > mostBytes(limits)) fail(new Failure('TOO_LARGE'))
    })
    request.on('aborted', failAs('BAD_REQUEST'))
    request.on('error', malformed)
    signal.addEventListener('abort', () => fail(signal.reason))
    request.pipe(busboy)
  })
}

function createParser(request: IncomingMessage, limits: Limits): BusboyInstance {
  const contentType = request.headers['content-type'] ?? ''
  try {
    return new Busboy({
      headers: { ...request.headers, 'content-type': contentType },
      // Text, too: busboy would decode it with whatever does not fit replaced.
      isPartAFile: () => true,
      // Those that are neither cost time as well.
      limits: { parts: maxFields + limits.files + 1, headerPairs: 50 },
    })
  } catch (cause) {
    throw new Failure('MALFORMED_FORM', { cause })
  }
}
