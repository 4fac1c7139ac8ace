import type { OwnedBlob } from '../../storage/blobs/blob-store.ts'
import type { Db, TableWithBlobs } from '../../storage/db/tables.ts'
import { countStoredFiles, listStoredFiles } from '../files/files.ts'
import { countReplacedImages, listReplacedImages } from '../import/undo/replaced-images.ts'
import { countStoredPhotos, listStoredPhotos } from '../participants/photos.ts'
import { countStoredPictures, listStoredPictures } from '../program/pictures.ts'

interface StoredBlobs {
  count(db: Db): Promise<number>
  list(db: Db): AsyncGenerator<OwnedBlob>
}

/** The blobs that the rows of each table refer to. */
const blobsOf: Record<TableWithBlobs, StoredBlobs> = {
  file: { count: countStoredFiles, list: listStoredFiles },
  event: { count: countStoredPictures, list: listStoredPictures },
  participant: { count: countStoredPhotos, list: listStoredPhotos },
  import_record: { count: countReplacedImages, list: listReplacedImages },
}

/** Counts the blobs that rows refer to, deleted rows included. */
export async function countOwnedBlobs(db: Db): Promise<number> {
  let total = 0
  for (const { count } of Object.values(blobsOf)) total += await count(db)
  return total
}

/** All blobs that rows refer to, deleted rows included. */
export async function* listOwnedBlobs(db: Db): AsyncGenerator<OwnedBlob> {
  for (const { list } of Object.values(blobsOf)) yield* list(db)
}
