import { pathOf } from '../../../contract/operation.ts'
import { participants } from '../../../contract/participants.ts'
import { immutable } from '../../core/cache-control.ts'
import { Failure } from '../../core/failure.ts'
import type { ParticipantId } from '../../core/ids.ts'
import type { ByteResponse } from '../../operation.ts'
import type { Fit } from '../../platform/images/resize.ts'
import type { Scope } from '../../scope.ts'
import { type BlobStore, type OwnedBlob, openStoredBlob, verifySize } from '../../storage/blobs/blob-store.ts'
import { DamagedBlob } from '../../storage/blobs/damaged-blob.ts'
import { mediaTypeOfName } from '../../storage/blobs/media-type.ts'
import type { Db, Row } from '../../storage/db/tables.ts'
import { listParticipantRows, listParticipantsWithPhotosAfter } from './store.ts'

export { countStoredPhotos, findPhotoBlobs } from './store.ts'

/** How photos are redrawn. */
export const photoFit: Fit = { width: 512, height: 512, crop: true }

/** A photo of ours is stored as the path at which it is served, below the base URL; `photoUrl` is made of that. */
const storedPhoto = /^api\/(participants\/\d+\/photo\/([0-9a-f]{64})(?:-[0-9a-f]+)?\.\w+)$/

/**
 * The value of `photo` for one of ours.
 * @param name the hash of the content, so that other content has another path; of an uploaded one followed by a hyphen
 *   and random digits
 */
export const photoPath = (participantId: ParticipantId, name: string, extension: string): string =>
  pathOf(participants.readParticipantPhoto, { participantId, file_name: `${name}.${extension}` }).slice(1)

/** The blob key of a value from {@link photoPath}. */
export const photoKey = (photo: string): string => photo.slice('api/'.length)

/** The value from {@link photoPath} with this blob key. */
export const photoOfKey = (key: string): string => `api/${key}`

/** A participant as far as it concerns their photo. */
type WithPhoto = Pick<Row<'participant'>, 'id' | 'photo'>

/** The bytes of a photo of ours; undefined for a URL or any other path, such as that of another participant. */
export function storedPhotoOf({ id, photo }: WithPhoto): { key: string; sha256: string } | undefined {
  const [, key = '', sha256 = ''] = storedPhoto.exec(photo) ?? []
  return key.startsWith(photoFolder(id)) ? { key, sha256 } : undefined
}

/** The folder of all photos of a participant that we store, including former ones. */
export const photoFolder = (id: ParticipantId): string => `participants/${id}/`

/** @throws Failure FILE_NOT_FOUND if it is not, or no longer, the participant's photo */
export async function readParticipantPhoto(
  { db }: Scope,
  blobs: BlobStore,
  participantId: ParticipantId,
  fileName: string,
): Promise<ByteResponse> {
  const [row] = await listParticipantRows(db, [participantId])
  const stored = row && storedPhotoOf(row)
  if (stored?.key !== `${photoFolder(participantId)}photo/${fileName}`) throw new Failure('FILE_NOT_FOUND')
  const { key, sha256 } = stored
  const size = await blobs.size(key)
  if (size === undefined) throw new DamagedBlob(key, 'missing')
  return {
    fileType: mediaTypeOfName(key) ?? 'application/octet-stream',
    size: async () => size,
    sha256,
    cacheControl: immutable,
    verify: () => verifySize(blobs, key, size),
    open: (range) => openStoredBlob(blobs, { key, size }, range),
  }
}

/** All photos of participants that we store. */
export async function* listStoredPhotos(db: Db): AsyncGenerator<OwnedBlob> {
  for (let after = 0; ; ) {
    const rows = await listParticipantsWithPhotosAfter(db, after, batchSize)
    for (const row of rows) {
      const stored = storedPhotoOf(row)
      if (stored) yield { ...stored, owner: `photo of participant ${row.id}` }
    }
    after = rows.at(-1)?.id ?? after
    if (rows.length < batchSize) return
  }
}

/** Rows read per query. */
const batchSize = 500
