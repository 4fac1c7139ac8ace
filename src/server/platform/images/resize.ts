import { fileTypeFromBuffer } from 'file-type'
import sharp, { type ResizeOptions } from 'sharp'
import { headBytes } from '../../storage/blobs/media-type.ts'
import { stripPngMetadata } from './png-metadata.ts'
import { UnusableImage, unsupportedFormat } from './unusable-image.ts'

/** Images with more pixels (width x height) are rejected by their header, before anything is decoded. */
export const maxPixels = 40_000_000

const jpegQuality = 82

// Only these ever reach a decoder. SVG, which can contain scripts, and rare formats are excluded on purpose.
const decodable = new Set(['image/jpeg', 'image/png', 'image/apng', 'image/webp', 'image/gif', 'image/avif'])

/** The box to fit an image into, in whole pixels from 1; `crop` fills its aspect ratio and crops around the centre. */
export interface Fit {
  readonly width: number
  readonly height: number
  readonly crop: boolean
}

/** An image ready to store; the extension has no dot. */
export interface ResizedImage {
  readonly bytes: Buffer
  readonly fileType: 'image/jpeg' | 'image/png'
  readonly extension: 'jpg' | 'png'
}

/**
 * Fits an image (JPEG, PNG, WebP, GIF or AVIF; of an animation the first frame) into `fit`: rotated by its EXIF
 * orientation, without metadata, in sRGB, never enlarged. A smaller image that is cropped gets the requested aspect
 * ratio, not the size. The result is PNG if the image has an alpha channel, else JPEG. Time and memory are limited only
 * by `resizeFile`.
 * @throws {UnusableImage} if it is in another format, damaged, or over `maxPixels`
 */
export async function resizeImage(input: Buffer, fit: Fit): Promise<ResizedImage> {
  const detected = await fileTypeFromBuffer(input.subarray(0, headBytes))
  if (!detected || !decodable.has(detected.mime)) {
    throw new UnusableImage(unsupportedFormat)
  }
  const image = sharp(stripPngMetadata(input), { limitInputPixels: maxPixels, failOn: 'error' })
  const metadata = await image.metadata().catch(throwUnusable)
  const fitted = image.autoOrient().resize(resizeOptions(metadata.autoOrient, fit)).toColourspace('srgb')
  if (metadata.hasAlpha) {
    return { bytes: await fitted.png().toBuffer().catch(throwUnusable), fileType: 'image/png', extension: 'png' }
  }
  const jpeg = fitted.jpeg({ quality: jpegQuality, mozjpeg: true })
  return { bytes: await jpeg.toBuffer().catch(throwUnusable), fileType: 'image/jpeg', extension: 'jpg' }
}

function resizeOptions(image: { width: number; height: number }, fit: Fit): ResizeOptions {
  if (!fit.crop) return { width: fit.width, height: fit.height, fit: 'inside', withoutEnlargement: true }
  // sharp would not crop a small image to the requested aspect ratio unless the box is scaled down first.
  const scale = Math.min(1, image.width / fit.width, image.height / fit.height)
  const length = (side: number) => Math.max(1, Math.round(side * scale))
  return { width: length(fit.width), height: length(fit.height), fit: 'cover' }
}

/** libvips distinguishes its errors only by their text. */
function throwUnusable(cause: unknown): never {
  const text = cause instanceof Error ? cause.message : ''
  if (text.includes('pixel limit')) {
    const megapixels = maxPixels / 1_000_000
    throw new UnusableImage(`The image has too many pixels; the limit is ${megapixels} million.`, { cause })
  }
  if (/memory/i.test(text)) throw new UnusableImage('The image takes too much memory to decode.', { cause })
  throw new UnusableImage('The image is damaged or cannot be decoded.', { cause })
}
