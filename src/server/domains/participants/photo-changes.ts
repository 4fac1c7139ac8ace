import { photoMember } from '../../../contract/uploads.ts'
import { assertMayChange } from '../../auth/policies.ts'
import type { Context } from '../../context.ts'
import { Failure, invalidField } from '../../core/failure.ts'
import type { FileId, ParticipantId } from '../../core/ids.ts'
import type { StoreBlob } from '../../operation.ts'
import type { PreparationScope } from '../../scope.ts'
import { openStoredBlob, type StagedBlob } from '../../storage/blobs/blob-store.ts'
import { findImage } from '../files/files.ts'
import { type StoreImage, throwInvalidImage } from '../files/store-image.ts'
import { photoFit, photoKey, photoOfKey, photoPath, storedPhotoOf } from './photos.ts'
import { getParticipant } from './store.ts'

/** The value of `photo` to write; none if it does not change. */
type PhotoValue = { photo?: string }

/**
 * Stores the image that a change of a profile has as its photo.
 * @param part an image; without one, `photo` may link to one of ours
 * @throws Failure PARTICIPANT_NOT_FOUND, FORBIDDEN; VALIDATION_FAILED if it is no image, or links to a file of ours that
 *   is not there; UNAVAILABLE
 */
export type PreparePhoto = (
  scope: PreparationScope,
  id: ParticipantId,
  photo: string | undefined,
  part: StagedBlob | undefined,
  storeBlob: StoreBlob,
) => Promise<PhotoValue>

export function createPhotoPreparation({ blobs }: Pick<Context, 'blobs'>, store: StoreImage): PreparePhoto {
  /** @returns the value of `photo` */
  const storeImage = async (
    id: ParticipantId,
    stage: () => Promise<StagedBlob>,
    storeBlob: StoreBlob,
  ): Promise<string> => {
    const key = await store(stage, photoFit, (name, extension) => photoKey(photoPath(id, name, extension)), storeBlob)
    return photoOfKey(key)
  }

  /** The copy stays when the post is deleted. */
  const copyFile = async (scope: PreparationScope, id: ParticipantId, file: FileId, storeBlob: StoreBlob) => {
    const { blob_key: key, size } = await findImage(scope.db, file).catch(throwInvalid)
    const stage = async () => blobs.stage(await openStoredBlob(blobs, { key, size }), size)
    return storeImage(id, stage, storeBlob)
  }

  return async (scope, id, photo, part, storeBlob) => {
    const { links } = scope
    const path = photo === undefined ? undefined : links.photoPathOf(photo)
    const file = path === undefined ? undefined : links.fileIdOf(links.base + path)
    const own = path === undefined ? undefined : storedPhotoOf({ id, photo: path.slice(1) })
    if (!part && file === undefined && !own) return {}
    // An image costs a process, so others are refused before.
    const stored = await getParticipant(scope.db, id)
    await assertMayChange(scope, id)
    if (part) return { photo: await storeImage(id, async () => part, storeBlob) }
    if (photo === stored.photo) return {}
    if (file !== undefined) return { photo: await copyFile(scope, id, file, storeBlob) }
    // By its path or `photoUrl`, as clients send it back. A former one is being removed.
    if (own && own.key !== storedPhotoOf(stored)?.key) throwInvalid(new Failure('FILE_NOT_FOUND'))
    return { photo: stored.photo }
  }
}

/** Reports a photo that cannot be used; any other error as it is. */
function throwInvalid(error: unknown): never {
  if (error instanceof Failure && error.reason === 'FILE_NOT_FOUND')
    throw invalidField(photoMember, error.reason, `${photoMember} links to a file that does not exist.`)
  return throwInvalidImage(error)
}
