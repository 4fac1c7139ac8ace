import { randomUUID } from 'node:crypto'
import type { FailedField } from '../../contract/envelope.ts'
import type { Limits } from '../../contract/limits.ts'
import { type BlobStore, patience, type StagedBlob } from '../blobs/blob-store.ts'
import { Failure } from '../core/failure.ts'
import { detectMediaType, mediaTypeOfName, normaliseMediaType } from '../images/media-type.ts'
import { decodeBase64, decodeDataUri } from './base64.ts'
import { safeFileName } from './file-name.ts'

/** A file part of a multipart body, received and staged. */
export interface FilePart {
  /** The name of its field. */
  field: string
  /** As the client named it; `''` if it did not. */
  name: string
  declaredType: string
  staged: StagedBlob
}

/** A file to attach: an external link as given, or bytes that are stored under `blobKey` already. */
export type NewFile =
  | { kind: 'link'; link: string; fileType: string }
  | { kind: 'stored'; blobKey: string; name: string; fileType: string; size: number; sha256: string }

/** A file to attach, before its bytes have a key. */
export type Upload = { kind: 'link'; link: string; fileType: string } | ({ kind: 'part' } & Omit<FilePart, 'field'>)

type Member = Readonly<Record<string, unknown>>

/** An element that cannot be used; becomes a failed field. */
class Unusable extends Error {}

/**
 * Reads the member `uploaded_files`: links, `data:` URIs, `{link}` and `{data}` objects, and then the file parts.
 * Base64 is decoded and staged like a part, so that from here on there is one way to store bytes.
 * @param isUpdate of something that may have some of the links already: how many are new, `attachFiles` sees
 * @returns the uploads, which the caller stores or discards; `fields` names the elements that cannot be used
 * @throws Failure TOO_MANY_FILES, TOO_LARGE; what was staged of the member is discarded then
 */
export async function readUploads(
  { member, parts, isUpdate }: { member: unknown; parts: FilePart[]; isUpdate: boolean },
  blobs: BlobStore,
  limits: Limits,
) {
  const uploads = parts.map((part): Upload => ({ kind: 'part', ...part }))
  const fields: FailedField[] = []
  const elements = toElements(member)
  if (!elements) {
    fields.push(failed('uploaded_files', 'NOT_AN_ARRAY', 'uploaded_files must be an array.'))
    return { uploads, fields }
  }
  const counted = isUpdate ? elements.filter(({ element }) => bringsBytes(element)) : elements
  if (counted.length + parts.length > limits.files || elements.length > Math.max(limits.files, mostElements))
    throw new Failure('TOO_MANY_FILES')
  for (const { element, index } of elements) {
    try {
      uploads.push(await readElement(element, blobs, limits))
    } catch (error) {
      if (!(error instanceof Unusable)) {
        await discardAll(uploads)
        throw error
      }
      const field = `uploaded_files[${index}]`
      fields.push(failed(field, 'NOT_A_FILE', `${field} ${error.message}`))
    }
  }
  return { uploads, fields }
}

/** Files that one topic may have and still be sent back as it was read. */
const mostElements = 1_000

const bringsBytes = (element: unknown): boolean =>
  typeof element === 'string' ? isDataUri(element) : isObject(element) && typeof element.data === 'string'

const isDataUri = (text: string): boolean => text.slice(0, 5).toLowerCase() === 'data:'

const failed = (field: string, reason: string, message: string): FailedField => ({ field, in: 'body', reason, message })

/** @param field the name under which a file came that nobody takes; as long as a form may make it */
export const unexpectedFile = (field: string): FailedField => {
  const name = field.slice(0, 255)
  return failed(name, 'UNEXPECTED_FILE', `A file was sent as ${name}, which takes none.`)
}

/** Forms send one element without brackets, and an empty one for none. Each keeps the place that it was sent at. */
function toElements(member: unknown): { element: unknown; index: number }[] | undefined {
  if (member === undefined || member === null) return []
  if (typeof member === 'string') return toElements([member])
  if (!Array.isArray(member)) return undefined
  return member.map((element: unknown, index) => ({ element, index })).filter(({ element }) => element !== '')
}

async function readElement(element: unknown, blobs: BlobStore, limits: Limits): Promise<Upload> {
  if (typeof element === 'string')
    return isDataUri(element) ? stage('', decodeDataUri(element), blobs, limits) : externalLink(element, '', limits)
  if (!isObject(element)) throw new Unusable('must be a link, a data: URI or an object with link or data.')
  const fileType = optionalText(element, 'fileType', limits)
  if (typeof element.data === 'string') {
    const name = optionalText(element, 'name', limits)
    const bytes = decodeBase64(element.data)
    return stage(name, bytes && { bytes, fileType: fileType || (mediaTypeOfName(name) ?? '') }, blobs, limits)
  }
  if (typeof element.link === 'string') return externalLink(element.link, fileType, limits)
  throw new Unusable('must have a link or data.')
}

const isObject = (value: unknown): value is Member =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function optionalText(element: Member, name: string, limits: Limits): string {
  const value = element[name] ?? ''
  if (typeof value !== 'string' || [...value].length > limits.text || !isStorable(value))
    throw new Unusable(`has a ${name} that is not a string of at most ${limits.text} characters.`)
  return value
}

/** A link is stored as given and never fetched; only http and https can be told from something active. */
function externalLink(link: string, fileType: string, limits: Limits): Upload {
  const usable = [...link].length <= limits.link && isStorable(link) && /^https?:\/\//i.test(link) && URL.canParse(link)
  if (!usable) throw new Unusable(`must be an http or https link of at most ${limits.link} characters.`)
  return {
    kind: 'link',
    link,
    fileType: normaliseMediaType(fileType) ?? mediaTypeOfName(new URL(link).pathname) ?? 'application/octet-stream',
  }
}

const isStorable = (text: string): boolean => text.isWellFormed() && !/\p{Cc}/u.test(text)

async function stage(
  name: string,
  decoded: { bytes: Buffer; fileType: string } | undefined,
  blobs: BlobStore,
  limits: Limits,
): Promise<Upload> {
  if (!decoded) throw new Unusable('does not hold valid base64 or percent-encoding.')
  const staged = await blobs.stage([decoded.bytes], limits.fileBytes)
  return { kind: 'part', name, declaredType: decoded.fileType, staged }
}

/**
 * Gives each part its key and its final media type.
 * @param files to which each is added as soon as it is stored, so that the caller can take back what there is of them
 */
export async function storeUploads(uploads: readonly Upload[], files: NewFile[]): Promise<void> {
  const size = uploads.reduce((sum, upload) => sum + (upload.kind === 'part' ? upload.staged.size : 0), 0)
  // One for all: several files, each of them almost too slow, would keep the client waiting for their sum.
  const by = performance.now() + patience(size)
  for (const upload of uploads) files.push(upload.kind === 'link' ? upload : await storePart(upload, by))
}

const folder = 'files/'

/** Whether a blob is an uploaded file's. */
export const isUpload = (blobKey: string): boolean => blobKey.startsWith(folder)

async function storePart({ name, declaredType, staged }: Omit<FilePart, 'field'>, by: number): Promise<NewFile> {
  const id = randomUUID()
  // Two levels of folders keep each of them small.
  const blobKey = `${folder}${id.slice(0, 2)}/${id}`
  const fileType = await detectMediaType(staged.head, declaredType || undefined)
  await staged.store(blobKey, by)
  const { size, sha256 } = staged
  return { kind: 'stored', blobKey, name: safeFileName(name, fileType), fileType, size, sha256 }
}

/**
 * Takes back what {@link storeUploads} stored, when the rows could not be.
 * @param onError told of what cannot be removed now and is removed later: the client hears why it was to be removed
 */
export async function removeStored(
  files: readonly NewFile[],
  blobs: BlobStore,
  onError: (error: unknown) => void,
): Promise<void> {
  await Promise.all(files.map((file) => file.kind === 'stored' && blobs.remove(file.blobKey).catch(onError)))
}

/**
 * Tells the store that the rows of these files are written.
 * @param onError told of what could not be confirmed, which the next start does
 */
export async function confirmStored(
  files: readonly NewFile[],
  blobs: BlobStore,
  onError: (error: unknown) => void,
): Promise<void> {
  await Promise.all(files.map((file) => file.kind === 'stored' && blobs.confirm(file.blobKey).catch(onError)))
}

export async function discardAll(uploads: readonly (FilePart | Upload)[]): Promise<void> {
  await Promise.all(uploads.map((upload) => 'staged' in upload && upload.staged.discard()))
}
