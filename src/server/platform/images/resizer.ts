import { Failure } from '../../core/failure.ts'
import type { StagedBlob } from '../../storage/blobs/blob-store.ts'
import type { Fit, ResizedImage } from './resize.ts'
import { resizeFile } from './resize-file.ts'
import { UnusableImage } from './unusable-image.ts'

/** Images that wait or are being resized. One takes half a second; a hostile one, its limit of time. */
const maxImages = 10

/** An AVIF of 40 million pixels takes 4 seconds. */
const limits = { mebibytes: 1536, seconds: 6 }

/**
 * Resizes images that clients send, as `resizeFile` does.
 * @param stage called when it is the turn of the image, so that those that wait take no space; discarded afterwards
 * @throws Failure UNAVAILABLE if too many wait, or none can be; the errors of `stage`
 */
export type Resize = (stage: () => Promise<StagedImage>, fit: Fit) => Promise<ResizedImage>

type StagedImage = Pick<StagedBlob, 'path' | 'discard'>

/** Such as without a build of sharp for this machine. */
function throwAsUnavailable(cause: unknown): never {
  throw cause instanceof UnusableImage ? cause : new Failure('UNAVAILABLE', { cause })
}

/**
 * Creates a function that resizes one image at a time, so that all clients together use the memory of one, and a single
 * processor.
 */
export function createResizer(resize: typeof resizeFile = resizeFile): Resize {
  let images = 0
  let last: Promise<unknown> = Promise.resolve()
  const resizeStaged = async (stage: () => Promise<StagedImage>, fit: Fit): Promise<ResizedImage> => {
    const image = await stage()
    try {
      return await resize(image.path, fit, limits).catch(throwAsUnavailable)
    } finally {
      await image.discard()
    }
  }
  return async (stage, fit) => {
    if (images >= maxImages) throw new Failure('UNAVAILABLE')
    images++
    const resized = last.then(() => resizeStaged(stage, fit))
    last = resized.catch(() => {})
    return resized.finally(() => images--)
  }
}
