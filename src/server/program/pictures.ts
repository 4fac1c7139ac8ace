import { createHash, hash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { LRUCache } from 'lru-cache'
import { type BlobStore, type ByteRange, type OwnedBlob, openStoredBlob } from '../blobs/blob-store.ts'
import { DamagedBlob } from '../blobs/damaged-blob.ts'
import type { Freshness, Versioned } from '../cache/freshness.ts'
import type { EventId } from '../core/ids.ts'
import type { Position } from '../db/open.ts'
import type { Db, Row } from '../db/tables.ts'
import { mediaTypeOfName } from '../images/media-type.ts'
import type { ByteResponse } from '../operation.ts'
import type { Scope } from '../scope.ts'
import { drawnPictures } from './drawn-pictures.ts'
import { countPictures, findNewestWithPicture, getEventRow, withPicturesAfter } from './store.ts'

export type PictureKind = 'banner' | 'photo'

/** An address stays while its picture may change, so a copy is good for a few minutes and then asked for by `ETag`. */
const cacheControl = 'public, max-age=300'

/** Pictures are resized when they are imported: so many bytes hold those of a hundred events and more. */
const maxCacheBytes = 32 * 1024 * 1024

/** Larger pictures are streamed. */
const maxPictureBytes = 1024 * 1024

/** A stored picture in memory. */
interface CachedPicture extends Versioned {
  readonly blobKey: string
  readonly bytes: Buffer
  readonly answer: ByteResponse
}

interface PictureOptions {
  blobs: BlobStore
  /** Where drawn pictures are stored. */
  drawnDir: string
  /** The most bytes of stored pictures to cache; 0 caches none. */
  maxBytes: number
  freshness: Freshness
}

/**
 * Makes the reader of banners and photos: the stored picture of an event, or one drawn for it, also where the stored one
 * is missing or damaged. Stored pictures are cached until the program changes: all attendees look at the same few.
 */
export function pictureReader({ blobs, drawnDir, maxBytes, freshness }: PictureOptions) {
  const draw = drawnPictures(drawnDir)
  const cache = new LRUCache<string, CachedPicture>({
    // 0 would be without bounds.
    maxSize: Math.max(1, Math.min(maxCacheBytes, maxBytes)),
    sizeCalculation: ({ bytes }) => bytes.length,
  })

  /** @throws DamagedBlob */
  const open = async (id: string, blobKey: string, position: Position): Promise<ByteResponse> => {
    const size = await blobs.size(blobKey)
    if (size === undefined) throw new DamagedBlob(blobKey, 'missing')
    // A stream is not compared with its hash: it would have to be read twice.
    if (size > Math.min(maxPictureBytes, maxBytes))
      return storedPicture(blobKey, size, (range) => openStoredBlob(blobs, { key: blobKey, size }, range))
    const bytes = await readWhole(blobs, blobKey, size)
    const answer = inMemory(blobKey, bytes)
    cache.set(id, { blobKey, bytes, answer, parts: ['program'], position })
    return answer
  }

  /** @throws Failure EVENT_NOT_FOUND */
  return async ({ db }: Scope, eventId: EventId, kind: PictureKind): Promise<ByteResponse> => {
    const id = `${kind} ${eventId}`
    const position = await freshness.refresh()
    const cached = cache.get(id)
    if (cached && freshness.isFresh(cached)) return cached.answer
    const row = await getEventRow(db, eventId)
    const blobKey = row[kind]
    if (blobKey === '') return placeholder(draw, row, kind)
    if (cached?.blobKey === blobKey) {
      cached.position = position
      return cached.answer
    }
    try {
      return await open(id, blobKey, position)
    } catch (error) {
      if (!(error instanceof DamagedBlob)) throw error
      return { ...(await placeholder(draw, row, kind)), damaged: error }
    }
  }
}

/** @throws DamagedBlob also for other content than the key says */
async function readWhole(blobs: BlobStore, key: string, size: number): Promise<Buffer> {
  const bytes = await buffer(await openStoredBlob(blobs, { key, size }))
  const sha256 = sha256InKey(key)
  if (sha256 !== undefined && hash('sha256', bytes) !== sha256) throw new DamagedBlob(key, 'wrong_content')
  return bytes
}

const part = (bytes: Buffer, { start, end }: ByteRange): Buffer => bytes.subarray(start, end + 1)

/** Drawn only for a client that does not have it. */
async function placeholder(
  draw: ReturnType<typeof drawnPictures>,
  row: Row<'event'>,
  kind: PictureKind,
): Promise<ByteResponse> {
  // Loaded with the first that is asked for rather than at every start.
  const { placeholderVersion } = await import('../images/placeholder.ts')
  const subject = { id: row.id, title: kind === 'photo' ? row.speaker || row.title : row.title, kind }
  const version = placeholderVersion(subject)
  let drawing: Promise<Buffer> | undefined
  const drawn = () => {
    drawing ??= draw(subject, version)
    return drawing
  }
  return {
    fileType: 'image/png',
    size: async () => (await drawn()).length,
    sha256: version,
    cacheControl,
    open: async (range) => (range ? part(await drawn(), range) : drawn()),
  }
}

const storedPicture = (key: string, size: number, open: ByteResponse['open']): ByteResponse => ({
  fileType: mediaTypeOfName(key) ?? 'application/octet-stream',
  size: async () => size,
  sha256: sha256OfKey(key),
  cacheControl,
  open,
})

const inMemory = (key: string, bytes: Buffer): ByteResponse =>
  storedPicture(key, bytes.length, async (range) => (range ? part(bytes, range) : bytes))

/** Every stored banner and photo, those of deleted events included. */
export async function* storedPictures(db: Db): AsyncGenerator<OwnedBlob> {
  for (let after = 0; ; ) {
    const rows = await withPicturesAfter(db, after, atOnce)
    for (const row of rows)
      for (const kind of ['banner', 'photo'] as const) {
        const key = row[kind]
        if (key !== '') yield { key, sha256: sha256InKey(key), owner: `${kind} of event ${row.id} “${row.title}”` }
      }
    after = rows.at(-1)?.id ?? after
    if (rows.length < atOnce) return
  }
}

/** Rows that are read at a time. */
const atOnce = 500

/** How many {@link storedPictures} there are. */
export const countStoredPictures = (db: Db): Promise<number> => countPictures(db)

/** As `findMissingFile` looks for a file: the key of the newest event's picture if its bytes are not there. */
export async function findMissingPicture(db: Db, blobs: BlobStore): Promise<string | undefined> {
  const newest = await findNewestWithPicture(db)
  const key = newest?.banner || newest?.photo
  return key && (await blobs.size(key)) === undefined ? key : undefined
}

/** The key of a picture: its name holds the content's hash, so that other content has another key. */
export const pictureKey = (eventId: EventId, kind: PictureKind, sha256: string, extension: string): string =>
  `program/${eventId}/${kind}-${sha256}.${extension}`

/** Undefined for a key that was not made by `pictureKey`. */
const sha256InKey = (key: string): string | undefined => /-([0-9a-f]{64})\./.exec(key)?.[1]

const sha256OfKey = (key: string): string => sha256InKey(key) ?? createHash('sha256').update(key).digest('hex')
