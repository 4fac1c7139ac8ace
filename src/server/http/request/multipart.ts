import type { Limits } from '../../../contract/limits.ts'
import { uploadsMember } from '../../../contract/uploads.ts'
import type { BlobStore } from '../../blobs/blob-store.ts'
import { Failure } from '../../core/failure.ts'
import { discardAll, type FilePart } from '../../files/uploads.ts'
import type { Body } from './body.ts'
import type { Reserve } from './body-budget.ts'
import { maxFields, parseFields } from './form.ts'
import { MultipartParser, type Part } from './multipart-parser.ts'
import { freeSpentChunks } from './spent-chunks.ts'

/** Bytes of a multipart body, at the most: its files, its text, and what stands around them. */
export const maxFormBytes = ({ jsonBytes, files, fileBytes }: Limits): number => jsonBytes + files * (fileBytes + 1_024)

/** What a field takes of the memory besides its name and bytes, about: there may be many that hold nothing. */
const fieldBytes = 500

/** The member itself, or an element of it: with `[]` or `[3]` after its name. */
const uploadsName = new RegExp(`^${uploadsMember}(\\[\\d*\\])?$`)
const isFilesMember = (name: string): boolean => uploadsName.test(name)

const isFile = ({ name, fileName, mediaType }: Part): boolean =>
  fileName !== undefined || (isFilesMember(name) && mediaType !== 'text/plain')

/**
 * Reads `multipart/form-data`. Files go to disk as they arrive and are never held in memory whole. Every part is a field,
 * a file, a file input in which nothing was chosen, or a file under a name that is not a file's.
 * @throws Failure MALFORMED_FORM, TOO_LARGE, TOO_MANY_FILES, UNAVAILABLE without memory for its text, and what
 *   {@link BlobStore.stage} and the chunks throw; no file stays behind then
 */
export async function readMultipart(
  chunks: AsyncIterable<Buffer, void>,
  contentType: string,
  blobs: BlobStore,
  limits: Limits,
  hold: Reserve,
): Promise<Body> {
  const fields: [string, Buffer][] = []
  const arriving: Promise<FilePart>[] = []
  const strayFiles: string[] = []
  let parts = 0
  let files = 0
  let emptyInputs = 0
  let textBytes = 0

  const readField = async ({ name, bytes }: Part) => {
    if (fields.length === maxFields) throw new Failure('TOO_LARGE')
    if (!hold(fieldBytes + name.length)) throw new Failure('UNAVAILABLE')
    const value: Buffer[] = []
    for await (const chunk of bytes) {
      textBytes += chunk.length
      if (textBytes > limits.jsonBytes) throw new Failure('TOO_LARGE')
      if (!hold(chunk.length)) throw new Failure('UNAVAILABLE')
      value.push(chunk)
    }
    fields.push([name, Buffer.concat(value)])
  }
  const readFile = async (part: Part) => {
    if (++files > limits.files) throw new Failure('TOO_MANY_FILES')
    const { name, fileName = '', mediaType, bytes, isRead } = part
    if (!isFilesMember(name)) {
      let size = 0
      for await (const chunk of bytes) size += chunk.length
      if (fileName === '' && size === 0) emptyInputs++
      else strayFiles.push(name)
      return
    }
    const staging = blobs.stage(freeSpentChunks(bytes), limits.fileBytes)
    const file = staging.then((staged): FilePart => ({ field: name, name: fileName, declaredType: mediaType, staged }))
    arriving.push(file)
    // The next part is received while this one is being synced.
    await Promise.race([isRead, file])
  }

  try {
    for await (const part of new MultipartParser(chunks, contentType).parts()) {
      parts++
      await (isFile(part) ? readFile(part) : readField(part))
    }
    const taken = await Promise.all(arriving)
    if (fields.length + taken.length + emptyInputs + strayFiles.length !== parts)
      throw new Error(`A form of ${parts} parts was not read whole.`)
    await discardAll(taken.filter(isEmptyInput))
    return { members: parseFields(fields), parts: taken.filter((part) => !isEmptyInput(part)), strayFiles }
  } catch (error) {
    const settled = await Promise.allSettled(arriving)
    await discardAll(settled.flatMap((part) => (part.status === 'fulfilled' ? [part.value] : [])))
    throw error
  }
}

/** What a browser sends for a file input in which nothing was chosen (HTML, "constructing the entry list"). */
const isEmptyInput = ({ name, staged }: FilePart): boolean => name === '' && staged.size === 0
