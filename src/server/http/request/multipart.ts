import type { Limits } from '../../../contract/limits.ts'
import { photoMember, uploadsMember } from '../../../contract/uploads.ts'
import { Failure } from '../../core/failure.ts'
import { discardAll, type FilePart, moreFilesThan } from '../../domains/files/uploads.ts'
import type { BlobStore } from '../../storage/blobs/blob-store.ts'
import type { ReserveMemory } from '../budgets/body-budget.ts'
import type { Body } from './body.ts'
import { bodyTooLarge } from './body-stream.ts'
import { type FormSyntax, parseFields, tooManyFields } from './form.ts'
import { type FormPart, MultipartParser } from './multipart-parser.ts'

/** The maximum bytes of a multipart body: its files, its text, and the delimiters and headers. */
export const maxFormBytes = ({ jsonBytes, files, fileBytes }: Limits): number => jsonBytes + files * (fileBytes + 1_024)

/** Approximate memory of a field besides its name and value: there may be many empty fields. */
const fieldOverheadBytes = 500

/** The member itself, or an element of it: with `[]` or `[3]` after its name. */
const uploadsName = new RegExp(`^${uploadsMember}(\\[\\d*\\])?$`)

/**
 * Reads `multipart/form-data`. Files are written to disk as they arrive and never held in memory as a whole. Every part
 * is a field, a file, an empty file input, or a stray file under another name. If it fails, no staged file remains.
 * @param blobs undefined to discard all files
 * @param partName the name that a file part may have, besides those of uploads
 * @throws Failure MALFORMED_FORM, TOO_LARGE, TOO_MANY_FILES, UNAVAILABLE without memory for its text, or the error
 *   of {@link BlobStore.stage} or of the chunks
 */
export async function readMultipart(
  chunks: AsyncIterable<Buffer, void>,
  contentType: string,
  blobs: BlobStore | undefined,
  limits: Limits,
  partName: string | undefined,
  syntax: FormSyntax,
  reserve: ReserveMemory,
): Promise<Body> {
  const isFilesMember = (name: string): boolean => uploadsName.test(name) || name === partName
  // Some clients send every text with another type than plain text.
  const isFile = ({ name, fileName, mediaType }: FormPart): boolean =>
    fileName !== undefined ||
    (name === partName && name === photoMember
      ? mediaType.startsWith('image/')
      : isFilesMember(name) && mediaType !== 'text/plain')
  const fields: [string, Buffer][] = []
  const stagings: Promise<FilePart>[] = []
  const strayFiles: string[] = []
  let partCount = 0
  let fileCount = 0
  let emptyInputs = 0
  let textBytes = 0

  const readField = async ({ name, bytes }: FormPart) => {
    if (fields.length === syntax.maxFields) throw tooManyFields(syntax)
    if (!reserve(fieldOverheadBytes + name.length)) throw new Failure('UNAVAILABLE')
    const value: Buffer[] = []
    for await (const chunk of bytes) {
      textBytes += chunk.length
      if (textBytes > limits.jsonBytes)
        throw bodyTooLarge(`The text of a form may have at most ${limits.jsonBytes} bytes.`)
      if (!reserve(chunk.length)) throw new Failure('UNAVAILABLE')
      value.push(chunk)
    }
    fields.push([name, Buffer.concat(value)])
  }
  const readFile = async (part: FormPart) => {
    if (++fileCount > limits.files) throw moreFilesThan(limits.files)
    const { name, fileName = '', mediaType, bytes, consumed } = part
    if (!blobs || !isFilesMember(name)) {
      let size = 0
      for await (const chunk of bytes) size += chunk.length
      if (fileName === '' && size === 0) emptyInputs++
      else strayFiles.push(name)
      return
    }
    const stagedFile = blobs.stage(releaseChunks(bytes), limits.fileBytes).catch(nameField(name))
    const file = stagedFile.then(
      (staged): FilePart => ({ field: name, name: fileName, declaredType: mediaType, staged }),
    )
    stagings.push(file)
    // Proceeds to the next part while this one is synced to disk.
    await Promise.race([consumed, file])
  }

  try {
    for await (const part of new MultipartParser(chunks, contentType).parts()) {
      partCount++
      await (isFile(part) ? readFile(part) : readField(part))
    }
    const staged = await Promise.all(stagings)
    if (fields.length + staged.length + emptyInputs + strayFiles.length !== partCount)
      throw new Error(`Not every part of a form with ${partCount} parts was read.`)
    await discardAll(staged.filter(isEmptyInput))
    return { members: parseFields(fields, syntax), parts: staged.filter((part) => !isEmptyInput(part)), strayFiles }
  } catch (error) {
    const results = await Promise.allSettled(stagings)
    await discardAll(results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])))
    throw error
  }
}

/** A file that is too large is reported under the name of its member. */
const nameField =
  (name: string) =>
  (error: unknown): never => {
    if (uploadsName.test(name) || !(error instanceof Failure) || error.reason !== 'TOO_LARGE') throw error
    const fields = error.fields.map((one) => (one.field === uploadsMember ? { ...one, field: name } : one))
    throw new Failure('TOO_LARGE', { fields })
  }

/** Whether a browser sent it for a file input without a selection (HTML, "constructing the entry list"). */
const isEmptyInput = ({ name, staged }: FilePart): boolean => name === '' && staged.size === 0

/** Smaller chunks are not worth freeing. */
const minBytes = 16_384

/**
 * Passes on the chunks of a stream to a consumer that is done with each chunk when it requests the next, and frees the
 * chunk's memory then. Left to V8, which scans all objects for every 64 MB of such memory, photos stall the event loop
 * (decision 28).
 */
export async function* releaseChunks(
  stream: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of stream) {
    yield chunk
    free(chunk)
  }
}

/** Skips a chunk that is part of a larger buffer: the rest may be in use. */
function free({ buffer, byteLength }: Uint8Array): void {
  if (byteLength < minBytes) return
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}
