import { createHash, randomBytes } from 'node:crypto'
import { photoMember } from '../../../contract/uploads.ts'
import { invalidField } from '../../core/failure.ts'
import type { StoreBlob } from '../../operation.ts'
import type { Fit } from '../../platform/images/resize.ts'
import type { Resize } from '../../platform/images/resizer.ts'
import { UnusableImage } from '../../platform/images/unusable-image.ts'
import type { StagedBlob } from '../../storage/blobs/blob-store.ts'

/**
 * Stores an image that a client has sent. Its bytes are redrawn as those of an import are, so that no photo has a place or
 * a camera in it.
 * @param stage see `Resize`
 * @param keyOf the blob key for the name of a file, which has the hash of the content and random digits: a key of its own,
 *   as one that is stored again could be removed at the same time, as that of a former image
 * @returns the blob key
 * @throws Failure VALIDATION_FAILED if it is no image; UNAVAILABLE; the errors of `stage`
 */
export type StoreImage = (
  stage: () => Promise<StagedBlob>,
  fit: Fit,
  keyOf: (name: string, extension: string) => string,
  storeBlob: StoreBlob,
) => Promise<string>

/** Creates the function that stores the images of clients. @param resize that of all of them */
export function createImageStorage(resize: Resize): StoreImage {
  return async (stage, fit, keyOf, storeBlob) => {
    const { bytes, extension } = await resize(stage, fit).catch(throwInvalidImage)
    const key = keyOf(nameImage(bytes).name, extension)
    await storeBlob(key, bytes)
    return key
  }
}

/** The hash of an image, and with random digits a name that no other file has, not even one with the same content. */
export function nameImage(bytes: Buffer): { sha256: string; name: string } {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { sha256, name: `${sha256}-${randomBytes(8).toString('hex')}` }
}

/** Reports an image that cannot be used; any other error as it is. */
export function throwInvalidImage(error: unknown): never {
  throw error instanceof UnusableImage ? invalidField(photoMember, 'NOT_AN_IMAGE', error.message) : error
}
