import type { OwnedBlob } from '../../storage/blobs/blob-store.ts'
import type { Db, TableWithBlobs } from '../../storage/db/tables.ts'
import { countStoredFiles, findFileBlobs, listStoredFiles } from '../files/files.ts'
import { countStoredPhotos, findPhotoBlobs, listStoredPhotos } from '../participants/photos.ts'
import {
  countLogos,
  countSpeakerPhotos,
  countStoredPictures,
  findEventBlobs,
  findLogos,
  findSpeakerPhotos,
  listLogos,
  listSpeakerPhotos,
  listStoredPictures,
} from '../program/pictures.ts'
import { countReplacedImages, findReplacedImages, listReplacedImages } from '../revisions/replaced-images.ts'

interface StoredBlobs {
  /** Finds the keys among these that a row refers to. */
  find(db: Db, keys: string[]): Promise<string[]>
  count(db: Db): Promise<number>
  list(db: Db): AsyncGenerator<OwnedBlob>
}

/** The blobs that the rows of each table refer to, deleted rows included. */
export const blobsOf: Record<TableWithBlobs, StoredBlobs> = {
  file: { find: findFileBlobs, count: countStoredFiles, list: listStoredFiles },
  event: { find: findEventBlobs, count: countStoredPictures, list: listStoredPictures },
  conference: { find: findLogos, count: countLogos, list: listLogos },
  speaker: { find: findSpeakerPhotos, count: countSpeakerPhotos, list: listSpeakerPhotos },
  participant: { find: findPhotoBlobs, count: countStoredPhotos, list: listStoredPhotos },
  revision_record: { find: findReplacedImages, count: countReplacedImages, list: listReplacedImages },
}

const batchSize = 500

/** The blob keys among `keys` that a row refers to. */
export async function referencedBlobKeys(db: Db, keys: readonly string[]): Promise<Set<string>> {
  const referenced = new Set<string>()
  for (let start = 0; start < keys.length; start += batchSize) {
    const batch = keys.slice(start, start + batchSize)
    for (const { find } of Object.values(blobsOf)) for (const key of await find(db, batch)) referenced.add(key)
  }
  return referenced
}

/** Counts the blobs that rows refer to. */
export async function countOwnedBlobs(db: Db): Promise<number> {
  let total = 0
  for (const { count } of Object.values(blobsOf)) total += await count(db)
  return total
}

/** All blobs that rows refer to. */
export async function* listOwnedBlobs(db: Db): AsyncGenerator<OwnedBlob> {
  for (const { list } of Object.values(blobsOf)) yield* list(db)
}
