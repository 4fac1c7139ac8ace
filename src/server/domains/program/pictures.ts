import { createHash, hash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { LRUCache } from 'lru-cache'
import { immutable, privateNoCache } from '../../core/cache-control.ts'
import { Failure } from '../../core/failure.ts'
import type { EventId, SpeakerId } from '../../core/ids.ts'
import type { Freshness, Versioned } from '../../log/changes/freshness.ts'
import type { ByteResponse } from '../../operation.ts'
import type { PictureDrawer } from '../../platform/images/picture-drawer.ts'
import { type PlaceholderSubject, placeholderVersion } from '../../platform/images/placeholder-version.ts'
import type { Fit } from '../../platform/images/resize.ts'
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
import { findFirstSpeakerPhoto, listSpeakersWithPhotosAfter } from './picture-store.ts'
import { createPlaceholderCache } from './placeholder-cache.ts'
import { listRecords } from './record-store.ts'
import { getPublicSpeaker } from './schedule-store.ts'
import { findNewestWithPicture, getEventRow, listEventsWithPicturesAfter } from './store.ts'

export { countSpeakerPhotos, findSpeakerPhotos } from './picture-store.ts'
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
 * Creates the readers of banners, photos and the logo: the stored picture of an event or speaker, or a placeholder if there
 * is none or the stored one is missing or damaged. An event without a photo has that of its first speaker. Stored pictures are cached until the program
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
    const cached = cache.get(id)
    if (cached?.blobKey === blobKey) {
      cached.position = position
      return cached.response
    }
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

  /** @param drawn what a stored picture that is missing or damaged is replaced with */
  const readOr = async (id: string, blobKey: string, position: Position, drawn: () => ByteResponse) => {
    try {
      return await readStored(id, blobKey, position)
    } catch (error) {
      if (!(error instanceof DamagedBlob)) throw error
      return { ...drawn(), damaged: error }
    }
  }

  /** @throws Failure EVENT_NOT_FOUND */
  const readOfEvent = async ({ db }: Scope, eventId: EventId, kind: PictureKind): Promise<ByteResponse> => {
    const id = `${kind} ${eventId}`
    const position = await freshness.refresh()
    const cached = cache.get(id)
    if (cached && freshness.isFresh(cached)) return cached.response
    const row = await getEventRow(db, eventId)
    const blobKey = row[kind] || (kind === 'photo' ? await storedPhotoOfFirst(db, eventId) : '')
    const title = kind === 'photo' ? row.speaker || row.title : row.title
    const drawn = () => placeholder(eventPlaceholder(row.id, kind), { id: row.id, title, kind })
    return blobKey === '' ? drawn() : readOr(id, blobKey, position, drawn)
  }

  /** Without a photo of ours, a placeholder: the server makes no outbound request. @throws Failure SPEAKER_NOT_FOUND */
  const readOfSpeaker = async ({ db }: Scope, speakerId: SpeakerId): Promise<ByteResponse> => {
    const position = await freshness.refresh()
    const { id, name, photo } = await getPublicSpeaker(db, speakerId)
    const drawn = () => placeholder(speakerPlaceholder(id), { id, title: name, kind: 'photo' })
    if (!isSpeakerPhoto(photo)) return drawn()
    return readOr(`speaker ${id}`, photo, position, drawn)
  }

  /** @throws Failure FILE_NOT_FOUND if it is not, or no longer, the logo; DamagedBlob */
  const readLogo = async ({ db }: Scope, fileName: string): Promise<ByteResponse> => {
    const position = await freshness.refresh()
    const [conference] = await listRecords(db, 'conference')
    const logo = conference?.logo ?? ''
    if (logo !== `${logoFolder}${fileName}`) throw new Failure('FILE_NOT_FOUND')
    return { ...(await readStored('logo', logo, position)), cacheControl: immutable }
  }

  return { readOfEvent, readOfSpeaker, readLogo }
}

async function storedPhotoOfFirst(db: Db, event: EventId): Promise<string> {
  const photo = await findFirstSpeakerPhoto(db, event)
  return isSpeakerPhoto(photo) ? photo : ''
}

/** A stored picture for editors only. @throws Failure FILE_NOT_FOUND without one; DamagedBlob */
export async function openPicture(blobs: BlobStore, key: string): Promise<ByteResponse> {
  if (key === '') throw new Failure('FILE_NOT_FOUND')
  const size = await blobs.size(key)
  if (size === undefined) throw new DamagedBlob(key, 'missing')
  const picture = storedPicture(key, size, (range) => openStoredBlob(blobs, { key, size }, range))
  return { ...picture, cacheControl: privateNoCache }
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

/** How pictures are redrawn. */
export const bannerFit: Fit = { width: 1600, height: 900, crop: false }
export const logoFit: Fit = { width: 1200, height: 600, crop: false }

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

/** All stored photos of speakers. */
export async function* listSpeakerPhotos(db: Db): AsyncGenerator<OwnedBlob> {
  for (let after = 0; ; ) {
    const rows = await listSpeakersWithPhotosAfter(db, after, batchSize)
    for (const { id, photo: key } of rows) yield { key, sha256: sha256InKey(key), owner: `photo of speaker ${id}` }
    after = rows.at(-1)?.id ?? after
    if (rows.length < batchSize) return
  }
}

/** The key of the stored logo; none without one. */
export const findLogos = async (db: Db): Promise<string[]> =>
  (await listRecords(db, 'conference')).flatMap(({ logo }) => logo || [])

export const countLogos = async (db: Db): Promise<number> => (await findLogos(db)).length

/** The stored logo, if there is one. */
export async function* listLogos(db: Db): AsyncGenerator<OwnedBlob> {
  for (const key of await findLogos(db)) yield { key, sha256: sha256InKey(key), owner: 'logo of the conference' }
}

/**
 * Checks by a sample whether the blob store belongs to the database.
 * @returns the key of the newest event's picture if its bytes are missing, otherwise undefined
 */
export async function findMissingPicture(db: Db, blobs: BlobReader): Promise<string | undefined> {
  const newest = await findNewestWithPicture(db)
  const key = newest?.banner || newest?.photo
  return key && (await blobs.size(key)) === undefined ? key : undefined
}

/**
 * The blob key of a picture.
 * @param name the hash of the content, so that other content has another key; of an uploaded one followed by a hyphen and
 *   random digits
 */
export const pictureKey = (eventId: EventId, kind: PictureKind, name: string, extension: string): string =>
  `program/${eventId}/${kind}-${name}.${extension}`

/** There is one conference. */
const logoFolder = 'conference/1/'

/** The blob key of the logo. Likewise. */
export const logoKey = (name: string, extension: string): string => `${logoFolder}logo-${name}.${extension}`

/** The blob key of the photo of a speaker. Likewise. */
export const speakerPhotoKey = (id: SpeakerId, name: string, extension: string): string =>
  `speakers/${id}/photo-${name}.${extension}`

/** Whether the `photo` of a speaker is the key of a stored one, rather than a URL. */
export const isSpeakerPhoto = (photo: string): boolean => photo.startsWith('speakers/')

/** The name of the file with a placeholder of an event. */
export const eventPlaceholder = (id: EventId, kind: PictureKind): string => `${id}-${kind}`

/** The name of the file with the placeholder of a speaker. */
export const speakerPlaceholder = (id: SpeakerId): string => `speaker-${id}`

/** The hash in a key; undefined for a key that is not from these functions. */
const sha256InKey = (key: string): string | undefined => /-([0-9a-f]{64})(?:-[0-9a-f]+)?\./.exec(key)?.[1]

const sha256OfKey = (key: string): string => sha256InKey(key) ?? createHash('sha256').update(key).digest('hex')
