import { createHash } from 'node:crypto'
import { type BlobStore, openKept } from '../blobs/blob-store.ts'
import type { Row } from '../db/tables.ts'
import type { ByteAnswer } from '../http/handlers.ts'
import type { EventId } from '../ids.ts'
import { mediaTypeOfName } from '../images/media-type.ts'
import { drawPlaceholder } from '../images/placeholder.ts'
import type { Scope } from '../scope.ts'
import { getEventRow } from './store.ts'

export type PictureKind = 'banner' | 'photo'

/** An address stays while its picture may change, so a copy is good for a few minutes and then asked for by `ETag`. */
const cacheControl = 'public, max-age=300'

/** Placeholders kept drawn; each takes a core for tens of milliseconds to make. */
const maxDrawn = 500

interface Drawn {
  bytes: Buffer
  sha256: string
}

/** Makes the reader of banners and photos: the stored picture of an event, or one drawn for it. */
export function pictureReader(blobs: BlobStore) {
  const drawn = new Map<string, Promise<Drawn>>()

  const placeholder = (row: Row<'event'>, kind: PictureKind): Promise<Drawn> => {
    const subject = { id: row.id, title: kind === 'photo' ? row.speaker || row.title : row.title, kind }
    const key = JSON.stringify(subject)
    const known = drawn.get(key)
    if (known) return known
    const drawing = drawPlaceholder(subject).then((bytes) => ({ bytes, sha256: sha256Of(bytes) }))
    drawing.catch(() => drawn.delete(key))
    const oldest = drawn.size >= maxDrawn ? drawn.keys().next().value : undefined
    if (oldest !== undefined) drawn.delete(oldest)
    drawn.set(key, drawing)
    return drawing
  }

  /** @throws Failure EVENT_NOT_FOUND */
  return async ({ db }: Scope, eventId: EventId, kind: PictureKind): Promise<ByteAnswer> => {
    const row = await getEventRow(db, eventId)
    const size = row[kind] === '' ? undefined : await blobs.size(row[kind])
    if (size !== undefined) return storedPicture(blobs, row[kind], size)
    const { bytes, sha256 } = await placeholder(row, kind)
    return {
      fileType: 'image/png',
      size: bytes.length,
      sha256,
      cacheControl,
      open: async (range) => (range ? bytes.subarray(range.start, range.end + 1) : bytes),
    }
  }
}

const storedPicture = (blobs: BlobStore, key: string, size: number): ByteAnswer => ({
  fileType: mediaTypeOfName(key) ?? 'application/octet-stream',
  size,
  sha256: sha256OfKey(key),
  cacheControl,
  open: (range) => openKept(blobs, key, range),
})

const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** The key of a picture: its name holds the content's hash, so that other content has another key. */
export const pictureKey = (eventId: EventId, kind: PictureKind, sha256: string, extension: string): string =>
  `program/${eventId}/${kind}-${sha256}.${extension}`

const sha256OfKey = (key: string): string =>
  /-([0-9a-f]{64})\./.exec(key)?.[1] ?? createHash('sha256').update(key).digest('hex')
