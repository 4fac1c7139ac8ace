import { randomUUID } from 'node:crypto'
import type { FailedField } from '../../../contract/envelope.ts'
import type { Limits } from '../../../contract/limits.ts'
import { uploadsMember } from '../../../contract/uploads.ts'
import { bodyField, Failure } from '../../core/failure.ts'
import type { NewFile, Upload } from '../../operation.ts'
import { type BlobStore, type StagedBlob, storeTimeoutMs } from '../../storage/blobs/blob-store.ts'
import { detectMediaType, mediaTypeOfName, normalizeMediaType } from '../../storage/blobs/media-type.ts'
import { decodeBase64, decodeDataUri } from './base64.ts'
import { safeFileName } from './file-name.ts'

/** A file part of a multipart body, received and staged. */
export interface FilePart {
  /** The name of its form field. */
  field: string
  /** The client's file name; `''` if absent. */
  name: string
  declaredType: string
  staged: StagedBlob
}

type Member = Readonly<Record<string, unknown>>

/** An invalid element of the uploads; reported as a failed field. */
class InvalidUpload extends Error {}

/**
 * Reads the uploads of a request: the file parts, and the links, `data:` URIs, `{link}` and `{data}` objects of the
 * member. Base64 is decoded and staged like a part, so that all bytes are stored in the same way.
 * @param isUpdate whether the record may already have some of the links; `attachFiles` counts the new ones
 * @returns the uploads, for the caller to store or discard, and the invalid elements as `fields`
 * @throws Failure TOO_MANY_FILES, TOO_LARGE; staged uploads are discarded
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
    fields.push(bodyField(uploadsMember, 'NOT_AN_ARRAY', `${uploadsMember} must be an array.`))
    return { uploads, fields }
  }
  const counted = isUpdate ? elements.filter(({ element }) => hasBytes(element)) : elements
  if (counted.length + parts.length > limits.files) throw moreFilesThan(limits.files)
  const mostElements = Math.max(limits.files, maxElements)
  if (elements.length > mostElements) throw tooManyFiles(`${uploadsMember} may have at most ${mostElements} elements.`)
  for (const { element, index } of elements) {
    try {
      uploads.push(await readElement(element, blobs, limits))
    } catch (error) {
      if (!(error instanceof InvalidUpload)) {
        await discardAll(uploads)
        throw error
      }
      const field = `${uploadsMember}[${index}]`
      fields.push(bodyField(field, 'NOT_A_FILE', `${field} ${error.message}`))
    }
  }
  return { uploads, fields }
}

/** @param message which limit is exceeded, and how many it allows */
export const tooManyFiles = (message: string): Failure =>
  new Failure('TOO_MANY_FILES', { fields: [bodyField(uploadsMember, 'TOO_MANY', message)] })

export const moreFilesThan = (maxFiles: number): Failure =>
  tooManyFiles(`A request may contain at most ${maxFiles} files.`)

/** The maximum number of elements, new or not: a client may send back all files of a topic. */
const maxElements = 1_000

const hasBytes = (element: unknown): boolean =>
  typeof element === 'string' ? isDataUri(element) : isObject(element) && typeof element.data === 'string'

const isDataUri = (text: string): boolean => text.slice(0, 5).toLowerCase() === 'data:'

/** @param field the form field in which a file was sent that accepts none; of any length */
export const unexpectedFile = (field: string): FailedField => {
  const name = field.slice(0, 255)
  return bodyField(name, 'UNEXPECTED_FILE', `A file was sent as ${name}, which takes none.`)
}

/** Forms send a single element without brackets, and an empty one for none. The index is the position as sent. */
function toElements(member: unknown): { element: unknown; index: number }[] | undefined {
  if (member === undefined || member === null) return []
  if (typeof member === 'string') return toElements([member])
  if (!Array.isArray(member)) return undefined
  return member.map((element: unknown, index) => ({ element, index })).filter(({ element }) => element !== '')
}

async function readElement(element: unknown, blobs: BlobStore, limits: Limits): Promise<Upload> {
  if (typeof element === 'string')
    return isDataUri(element)
      ? stageBytes('', decodeDataUri(element), blobs, limits)
      : externalLink(element, '', limits)
  if (!isObject(element)) throw new InvalidUpload('must be a link, a data: URI or an object with link or data.')
  const fileType = optionalText(element, 'fileType', limits)
  if (typeof element.data === 'string') {
    const name = optionalText(element, 'name', limits)
    const bytes = decodeBase64(element.data)
    return stageBytes(name, bytes && { bytes, fileType: fileType || (mediaTypeOfName(name) ?? '') }, blobs, limits)
  }
  if (typeof element.link === 'string') return externalLink(element.link, fileType, limits)
  throw new InvalidUpload('must have a link or data.')
}

const isObject = (value: unknown): value is Member =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function optionalText(element: Member, name: string, limits: Limits): string {
  const value = element[name] ?? ''
  if (typeof value !== 'string' || [...value].length > limits.text || !isStorable(value))
    throw new InvalidUpload(`has a ${name} that is not a string of at most ${limits.text} characters.`)
  return value
}

/** A link is stored as given and never fetched. Other schemes than http and https may be active content. */
function externalLink(link: string, fileType: string, limits: Limits): Upload {
  const isValid =
    [...link].length <= limits.link && isStorable(link) && /^https?:\/\//i.test(link) && URL.canParse(link)
  if (!isValid) throw new InvalidUpload(`must be an http or https link of at most ${limits.link} characters.`)
  return {
    kind: 'link',
    link,
    fileType: normalizeMediaType(fileType) ?? mediaTypeOfName(new URL(link).pathname) ?? 'application/octet-stream',
  }
}

const isStorable = (text: string): boolean => text.isWellFormed() && !/\p{Cc}/u.test(text)

async function stageBytes(
  name: string,
  decoded: { bytes: Buffer; fileType: string } | undefined,
  blobs: BlobStore,
  limits: Limits,
): Promise<Upload> {
  if (!decoded) throw new InvalidUpload('does not hold valid base64 or percent-encoding.')
  const staged = await blobs.stage([decoded.bytes], limits.fileBytes)
  return { kind: 'part', name, declaredType: decoded.fileType, staged }
}

/**
 * Stores each part under a key of its own and determines its media type.
 * @param keys receives each key as soon as its bytes are stored, so that after an error the caller can remove them
 */
export async function storeUploads(uploads: readonly Upload[], keys: string[]): Promise<NewFile[]> {
  const size = uploads.reduce((sum, upload) => sum + (upload.kind === 'part' ? upload.staged.size : 0), 0)
  // One deadline for all: several files, each almost too slow, would add up.
  const deadline = performance.now() + storeTimeoutMs(size)
  const files: NewFile[] = []
  for (const upload of uploads) files.push(upload.kind === 'link' ? upload : await storePart(upload, keys, deadline))
  return files
}

const folder = 'files/'

/** Whether a blob is an uploaded file. */
export const isUploadKey = (blobKey: string): boolean => blobKey.startsWith(folder)

async function storePart(
  { name, declaredType, staged }: Omit<FilePart, 'field'>,
  keys: string[],
  deadline: number,
): Promise<NewFile> {
  const id = randomUUID()
  // A second level of folders keeps each folder small.
  const blobKey = `${folder}${id.slice(0, 2)}/${id}`
  const fileType = await detectMediaType(staged.head, declaredType || undefined)
  await staged.store(blobKey, deadline)
  keys.push(blobKey)
  const { size, sha256 } = staged
  return { kind: 'stored', blobKey, name: safeFileName(name, fileType), fileType, size, sha256 }
}

/**
 * Removes what was stored for a write after its rows could not be written.
 * @param onError receives errors of removal: the file is removed later, and the client receives the error of the write
 */
export async function removeStored(
  keys: readonly string[],
  blobs: BlobStore,
  onError: (error: unknown) => void,
): Promise<void> {
  await Promise.all(keys.map((key) => blobs.remove(key).catch(onError)))
}

/**
 * Confirms to the store that the rows with these keys are written.
 * @param onError receives errors of confirmation, which the next start repeats
 */
export async function confirmStored(
  keys: readonly string[],
  blobs: BlobStore,
  onError: (error: unknown) => void,
): Promise<void> {
  await Promise.all(keys.map((key) => blobs.confirm(key).catch(onError)))
}

export async function discardAll(uploads: readonly (FilePart | Upload)[]): Promise<void> {
  await Promise.all(uploads.map((upload) => 'staged' in upload && upload.staged.discard()))
}
