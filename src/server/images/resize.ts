import { fileTypeFromBuffer } from 'file-type'
import sharp, { type ResizeOptions } from 'sharp'
import { headBytes } from './media-type.ts'
import { withoutPngMetadata } from './png-metadata.ts'

/** Pixels (width x height) beyond which an image is refused by its header, before anything is decoded. */
export const pixelLimit = 40_000_000

const jpegQuality = 82

// Only these ever reach a decoder. Left out on purpose: SVG, which is a program, and the rarer formats.
const decodable = new Set(['image/jpeg', 'image/png', 'image/apng', 'image/webp', 'image/gif', 'image/avif'])

/** The bytes given are no image that we accept; `message` is a sentence fit for the person who sent them. */
export class UnusableImage extends Error {
  override readonly name = 'UnusableImage'
}

/** Room for an image, in whole pixels from 1; `crop` fills its proportions and cuts the rest off around the centre. */
export interface Fit {
  readonly width: number
  readonly height: number
  readonly crop: boolean
}

/** An image ready to store: its bytes, media type and extension (without a dot). */
export interface ResizedImage {
  readonly bytes: Buffer
  readonly fileType: 'image/jpeg' | 'image/png'
  readonly extension: 'jpg' | 'png'
}

/**
 * Fits an image (JPEG, PNG, WebP, GIF or AVIF; of an animation the first frame) into `fit`: turned upright by its EXIF
 * orientation, without metadata, in sRGB, never enlarged. A smaller image that is cropped gets the proportions
 * asked for, not the size. The answer is PNG if the image has an alpha channel, else JPEG.
 * Only `resizeFile` limits the time and memory that this takes.
 * @throws {UnusableImage} if it is none of these formats, damaged, or over `pixelLimit`
 */
export async function resizeImage(input: Buffer, fit: Fit): Promise<ResizedImage> {
  const sniffed = await fileTypeFromBuffer(input.subarray(0, headBytes))
  if (!sniffed || !decodable.has(sniffed.mime)) {
    throw new UnusableImage('The file is not an image that can be used: send a JPEG, PNG, WebP, GIF or AVIF.')
  }
  const image = sharp(withoutPngMetadata(input), { limitInputPixels: pixelLimit, failOn: 'error' })
  const metadata = await image.metadata().catch(refuse)
  const fitted = image.autoOrient().resize(target(metadata.autoOrient, fit)).toColourspace('srgb')
  if (metadata.hasAlpha) {
    return { bytes: await fitted.png().toBuffer().catch(refuse), fileType: 'image/png', extension: 'png' }
  }
  const jpeg = fitted.jpeg({ quality: jpegQuality, mozjpeg: true })
  return { bytes: await jpeg.toBuffer().catch(refuse), fileType: 'image/jpeg', extension: 'jpg' }
}

function target(image: { width: number; height: number }, fit: Fit): ResizeOptions {
  if (!fit.crop) return { width: fit.width, height: fit.height, fit: 'inside', withoutEnlargement: true }
  // sharp would crop a small image to its own proportions; shrinking the frame first keeps the ones asked for.
  const scale = Math.min(1, image.width / fit.width, image.height / fit.height)
  const length = (side: number) => Math.max(1, Math.round(side * scale))
  return { width: length(fit.width), height: length(fit.height), fit: 'cover' }
}

// libvips tells its failures apart by text alone.
function refuse(cause: unknown): never {
  const text = cause instanceof Error ? cause.message : ''
  if (text.includes('pixel limit')) {
    const megapixels = pixelLimit / 1_000_000
    throw new UnusableImage(`The image is too large: at most ${megapixels} million pixels are accepted.`, { cause })
  }
  if (/memory/i.test(text)) throw new UnusableImage('The image takes too much memory to read.', { cause })
  throw new UnusableImage('The image is damaged or cannot be read.', { cause })
}
