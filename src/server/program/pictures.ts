import { createHash } from 'node:crypto'
import { type BlobStore, type ByteRange, type OwnedBlob, openKept } from '../blobs/blob-store.ts'
import { DamagedBlob } from '../blobs/damaged-blob.ts'
import type { Db, Row } from '../db/tables.ts'
import type { EventId } from '../ids.ts'
import { mediaTypeOfName } from '../images/media-type.ts'
import type { ByteAnswer } from '../operation.ts'
import type { Scope } from '../scope.ts'
import { drawnPictures } from './drawn-pictures.ts'
import { RecentPictures } from './recent-pictures.ts'
import { countPictures, findNewestWithPicture, getEventRow, withPicturesAfter } from './store.ts'

export type PictureKind = 'banner' | 'photo'

/** An address stays while its picture may change, so a copy is good for a few minutes and then asked for by `ETag`. */
const cacheControl = 'public, max-age=300'

/**
 * Makes the reader of banners and photos: the stored picture of an event, or one drawn for it, also where the stored one
 * is missing or damaged.
 * @param drawnDir where those that are drawn are kept
 * @param maxBytes of stored pictures kept in memory
 */
export function pictureReader(blobs: BlobStore, drawnDir: string, maxBytes: number) {
  const draw = drawnPictures(drawnDir)
  const recent = new RecentPictures(blobs, maxBytes)

  /** @throws DamagedBlob */
  const stored = async (key: string): Promise<ByteAnswer> => {
    const known = recent.get(key)
    if (known) return inMemory(key, known)
    const size = await blobs.size(key)
    if (size === undefined) throw new DamagedBlob(key, 'missing')
    // What is not kept is streamed, and its content not compared with its hash: it would have to be read twice.
    if (!recent.keeps(size)) return storedPicture(key, size, (range) => openKept(blobs, { key, size }, range))
    return inMemory(key, await recent.read(key, size, sha256InKey(key)))
  }

  /** @throws Failure EVENT_NOT_FOUND */
  return async ({ db }: Scope, eventId: EventId, kind: PictureKind): Promise<ByteAnswer> => {
    const row = await getEventRow(db, eventId)
    const key = row[kind]
    if (key === '') return placeholder(draw, row, kind)
    try {
      return await stored(key)
    } catch (error) {
      if (!(error instanceof DamagedBlob)) throw error
      return { ...(await placeholder(draw, row, kind)), damaged: error }
    }
  }
}

const part = (bytes: Buffer, { start, end }: ByteRange): Buffer => bytes.subarray(start, end + 1)

/** Drawn only for a client that does not have it. */
async function placeholder(
  draw: ReturnType<typeof drawnPictures>,
  row: Row<'event'>,
  kind: PictureKind,
): Promise<ByteAnswer> {
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

const storedPicture = (key: string, size: number, open: ByteAnswer['open']): ByteAnswer => ({
  fileType: mediaTypeOfName(key) ?? 'application/octet-stream',
  size: async () => size,
  sha256: sha256OfKey(key),
  cacheControl,
  open,
})

const inMemory = (key: string, bytes: Buffer): ByteAnswer =>
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
