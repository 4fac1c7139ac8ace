import { createHash, hash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { LRUCache } from 'lru-cache'
import type { EventId, SpeakerId } from '../../core/ids.ts'
import type { Freshness, Versioned } from '../../log/changes/freshness.ts'
import type { ByteResponse } from '../../operation.ts'
import type { PictureDrawer } from '../../platform/images/picture-drawer.ts'
import { type PlaceholderSubject, placeholderVersion } from '../../platform/images/placeholder-version.ts'
import type { Scope } from '../../scope.ts'
import {
  type BlobReader,
  type BlobStore,
  type ByteRange,
  type OwnedBlob,
  openStoredBlob,
} from '../../storage/blobs/blob-store.ts'
import { DamagedBlob } from '../../storage/blobs/damaged-blob.ts'
import { mediaTypeOfName } from '../../storage/blobs/media-type.ts'
import type { Position } from '../../storage/db/open.ts'
import type { Db } from '../../storage/db/tables.ts'
import { createPlaceholderCache } from './placeholder-cache.ts'
import { getPublicSpeaker } from './schedule-store.ts'
import { findNewestWithPicture, getEventRow, listEventsWithPicturesAfter } from './store.ts'

export { countStoredPictures, findEventBlobs } from './store.ts'

export type PictureKind = 'banner' | 'photo'

/** A URL stays the same when its picture changes, so copies are revalidated by `ETag` after a few minutes. */
const cacheControl = 'public, max-age=300'

/** Pictures are resized on import, so this holds those of more than a hundred events. */
const maxCacheBytes = 32 * 1024 * 1024

/** Larger pictures are streamed. */
const maxPictureBytes = 1024 * 1024

/** A cached stored picture. */
interface CachedPicture extends Versioned {
  readonly blobKey: string
  readonly bytes: Buffer
  readonly response: ByteResponse
}

interface PictureOptions {
  blobs: BlobStore
  /** The folder of the placeholder files. */
  placeholderDir: string
  drawer: PictureDrawer
  /** The maximum bytes of stored pictures to cache; 0 disables the cache. */
  maxBytes: number
  freshness: Freshness
}

/**
 * Creates the readers of banners and photos: the stored picture of an event, or a placeholder if it has none or the
 * stored one is missing or damaged, and the placeholder of a speaker. Stored pictures are cached until the program
 * changes: all attendees view the same few.
 */
export function createPictureReader({ blobs, placeholderDir, drawer, maxBytes, freshness }: PictureOptions) {
  const readPlaceholder = createPlaceholderCache(placeholderDir, drawer)
  const cache = new LRUCache<string, CachedPicture>({
    // 0 would mean unlimited.
    maxSize: Math.max(1, Math.min(maxCacheBytes, maxBytes)),
    // lru-cache rejects a size of 0.
    sizeCalculation: ({ bytes }) => Math.max(1, bytes.length),
  })

  /** @throws DamagedBlob */
  const readStored = async (id: string, blobKey: string, position: Position): Promise<ByteResponse> => {
    const size = await blobs.size(blobKey)
    if (size === undefined) throw new DamagedBlob(blobKey, 'missing')
    // The hash of a stream is not verified: it would have to be read twice.
    if (size > Math.min(maxPictureBytes, maxBytes))
      return storedPicture(blobKey, size, (range) => openStoredBlob(blobs, { key: blobKey, size }, range))
    const bytes = await readWhole(blobs, blobKey, size)
    const response = pictureInMemory(blobKey, bytes)
    cache.set(id, { blobKey, bytes, response, dependencies: ['program'], position })
    return response
  }

  /** Drawn only if the client does not have it yet. @param file the name of its file, which no other record has */
  const placeholder = (file: string, subject: PlaceholderSubject): ByteResponse => {
    const version = placeholderVersion(subject)
    let bytes: Promise<Buffer> | undefined
    const read = () => {
      bytes ??= readPlaceholder(file, subject, version)
      return bytes
    }
    return {
      fileType: 'image/png',
      size: async () => (await read()).length,
      sha256: version,
      cacheControl,
      open: async (range) => (range ? slice(await read(), range) : read()),
    }
  }

  /** @throws Failure EVENT_NOT_FOUND */
  const readOfEvent = async ({ db }: Scope, eventId: EventId, kind: PictureKind): Promise<ByteResponse> => {
    const id = `${kind} ${eventId}`
    const position = await freshness.refresh()
    const cached = cache.get(id)
    if (cached && freshness.isFresh(cached)) return cached.response
    const row = await getEventRow(db, eventId)
    const blobKey = row[kind]
    const title = kind === 'photo' ? row.speaker || row.title : row.title
    const drawn = () => placeholder(`${row.id}-${kind}`, { id: row.id, title, kind })
    if (blobKey === '') return drawn()
    if (cached?.blobKey === blobKey) {
      cached.position = position
      return cached.response
    }
    try {
      return await readStored(id, blobKey, position)
    } catch (error) {
      if (!(error instanceof DamagedBlob)) throw error
      return { ...drawn(), damaged: error }
    }
  }

  /** Photos of speakers are elsewhere, and the server makes no outbound request. @throws Failure SPEAKER_NOT_FOUND */
  const readOfSpeaker = async ({ db }: Scope, speakerId: SpeakerId): Promise<ByteResponse> => {
    const { id, name } = await getPublicSpeaker(db, speakerId)
    return placeholder(`speaker-${id}`, { id, title: name, kind: 'photo' })
  }

  return { readOfEvent, readOfSpeaker }
}

/** @throws DamagedBlob also if the content does not match the hash in the key */
async function readWhole(blobs: BlobStore, key: string, size: number): Promise<Buffer> {
  const bytes = await buffer(await openStoredBlob(blobs, { key, size }))
  const sha256 = sha256InKey(key)
  if (sha256 !== undefined && hash('sha256', bytes) !== sha256) throw new DamagedBlob(key, 'wrong_content')
  return bytes
}

const slice = (bytes: Buffer, { start, end }: ByteRange): Buffer => bytes.subarray(start, end + 1)

const storedPicture = (key: string, size: number, open: ByteResponse['open']): ByteResponse => ({
  fileType: mediaTypeOfName(key) ?? 'application/octet-stream',
  size: async () => size,
  sha256: sha256OfKey(key),
  cacheControl,
  open,
})

const pictureInMemory = (key: string, bytes: Buffer): ByteResponse =>
  storedPicture(key, bytes.length, async (range) => (range ? slice(bytes, range) : bytes))

/** All stored banners and photos, including those of deleted events. */
export async function* listStoredPictures(db: Db): AsyncGenerator<OwnedBlob> {
  for (let after = 0; ; ) {
    const rows = await listEventsWithPicturesAfter(db, after, batchSize)
    for (const row of rows)
      for (const kind of ['banner', 'photo'] as const) {
        const key = row[kind]
        if (key !== '') yield { key, sha256: sha256InKey(key), owner: `${kind} of event ${row.id} “${row.title}”` }
      }
    after = rows.at(-1)?.id ?? after
    if (rows.length < batchSize) return
  }
}

/** Rows read per query. */
const batchSize = 500

/**
 * Checks by a sample whether the blob store belongs to the database.
 * @returns the key of the newest event's picture if its bytes are missing, otherwise undefined
 */
export async function findMissingPicture(db: Db, blobs: BlobReader): Promise<string | undefined> {
  const newest = await findNewestWithPicture(db)
  const key = newest?.banner || newest?.photo
  return key && (await blobs.size(key)) === undefined ? key : undefined
}

/** The blob key of a picture. It contains the hash of the content, so that other content has another key. */
export const pictureKey = (eventId: EventId, kind: PictureKind, sha256: string, extension: string): string =>
  `program/${eventId}/${kind}-${sha256}.${extension}`

/** Undefined for a key that is not from `pictureKey`. */
const sha256InKey = (key: string): string | undefined => /-([0-9a-f]{64})\./.exec(key)?.[1]

const sha256OfKey = (key: string): string => sha256InKey(key) ?? createHash('sha256').update(key).digest('hex')
