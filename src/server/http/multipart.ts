import type { IncomingMessage } from 'node:http'
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy'
import type { Limits } from '../../contract/limits.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import { Failure } from '../failure.ts'
import { discardAll, type FilePart } from '../files/uploads.ts'
import type { Body } from './body.ts'
import { parseFields } from './form.ts'

/** File parts are those named `uploaded_files`, `uploaded_files[]` or `uploaded_files[3]`; others are ignored. */
const isUpload = (name: string): boolean => /^uploaded_files(\[\d*\])?$/.test(name)

/** Bytes of a multipart body, at the most: its files, its text, and what stands around them. */
export const mostBytes = ({ jsonBytes, files, fileBytes }: Limits): number => jsonBytes + files * (fileBytes + 1_024)

const maxFields = 100

/**
 * Reads `multipart/form-data` (RFC 7578). Files go to disk as they arrive and are never held in memory whole.
 * @throws Failure MALFORMED_FORM, TOO_LARGE, TOO_MANY_FILES, BAD_REQUEST when the client goes away, or the signal's
 *   reason; no file stays behind then
 */
export async function readMultipart(
  request: IncomingMessage,
  blobs: BlobStore,
  limits: Limits,
  signal: AbortSignal,
): Promise<Body> {
  const fields: [string, string][] = []
  const staging: Promise<FilePart>[] = []
  try {
    await new Promise<void>((resolve, reject) => {
      const busboy = createParser(request, limits)
      const receiving: BusboyFileStream[] = []
      let received = 0
      let textLength = 0
      let failed = false
      const fail = (error: unknown) => {
        failed = true
        request.unpipe(busboy)
        // The files that are being received would wait for bytes that never come.
        for (const stream of receiving) stream.destroy(new Failure('BAD_REQUEST'))
        reject(error)
      }
      const malformed = (cause: unknown) => fail(new Failure('MALFORMED_FORM', { cause }))

      busboy.on('field', (name, value, nameTruncated, valueTruncated) => {
        textLength += value.length
        if (nameTruncated || valueTruncated || textLength > limits.jsonBytes) fail(new Failure('TOO_LARGE'))
        else fields.push([name, value])
      })
      busboy.on('file', (name, stream, fileName, _encoding, declaredType) => {
        // `stage` sees the error when it reads; until then, and for a part that is ignored, an error without a listener
        // would end the process.
        stream.on('error', () => {})
        // What arrived together with the reason to fail is still parsed, and nobody would end its files any more.
        if (failed || !isUpload(name)) return void stream.resume()
        receiving.push(stream)
        stream.on('limit', () => fail(new Failure('TOO_LARGE')))
        const part = blobs
          .stage(stream, limits.fileBytes)
          // A part may be a file by its type alone, and then there is no name, whatever the types say.
          .then((staged): FilePart => ({ name: fileName ?? '', declaredType, staged }))
        part.catch(fail)
        staging.push(part)
      })
      busboy.on('filesLimit', () => fail(new Failure('TOO_MANY_FILES')))
      busboy.on('fieldsLimit', () => fail(new Failure('TOO_LARGE')))
      busboy.on('partsLimit', () => fail(new Failure('TOO_LARGE')))
      busboy.on('error', malformed)
      busboy.on('finish', resolve)
      request.on('data', (chunk: Buffer) => {
        received += chunk.length
        if (received > mostBytes(limits)) fail(new Failure('TOO_LARGE'))
      })
      request.on('aborted', () => fail(new Failure('BAD_REQUEST')))
      request.on('error', malformed)
      signal.addEventListener('abort', () => fail(signal.reason))
      request.pipe(busboy)
    })
    const parts = await Promise.all(staging)
    await discardAll(parts.filter(isEmptyInput))
    return { members: parseFields(fields), parts: parts.filter((part) => !isEmptyInput(part)) }
  } catch (error) {
    const settled = await Promise.allSettled(staging)
    await discardAll(settled.flatMap((part) => (part.status === 'fulfilled' ? [part.value] : [])))
    throw error
  }
}

/** What a browser sends for a file input in which nothing was chosen (HTML, "constructing the entry list"). */
const isEmptyInput = ({ name, staged }: FilePart): boolean => name === '' && staged.size === 0

function createParser(request: IncomingMessage, limits: Limits): BusboyInstance {
  const contentType = request.headers['content-type'] ?? ''
  try {
    return new Busboy({
      headers: { ...request.headers, 'content-type': contentType },
      // A part is a file by its name, even an empty one, or by a type that no text field has.
      isPartAFile: (name, type, fileName) =>
        fileName !== undefined || (isUpload(name ?? '') && type !== undefined && type !== 'text/plain'),
      limits: {
        fields: maxFields,
        fieldNameSize: 200,
        fieldSize: limits.jsonBytes,
        files: limits.files,
        // Those that are neither cost time as well.
        parts: maxFields + limits.files + 1,
        fileSize: limits.fileBytes,
        headerPairs: 50,
      },
    })
  } catch (cause) {
    throw new Failure('MALFORMED_FORM', { cause })
  }
}
