import { Failure } from '../../core/failure.ts'
import type { Fit, ResizedImage } from './resize.ts'
import { resizeFile } from './resize-file.ts'
import { UnusableImage } from './unusable-image.ts'

/** Images that wait or are being resized. One takes half a second; a hostile one, its limit of time. */
const maxImages = 10

/** An AVIF of 40 million pixels takes 4 seconds. */
const limits = { mebibytes: 1536, seconds: 6 }

/** Resizes images that clients send, as `resizeFile` does. @throws Failure UNAVAILABLE if too many wait, or none can be */
export type Resize = (path: string, fit: Fit) => Promise<ResizedImage>

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
  return async (path, fit) => {
    if (images >= maxImages) throw new Failure('UNAVAILABLE')
    images++
    const resized = last.then(() => resize(path, fit, limits)).catch(throwAsUnavailable)
    last = resized.catch(() => {})
    return resized.finally(() => images--)
  }
}
