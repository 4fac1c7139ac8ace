import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { chunk } from './resize.fixtures.ts'
import { resizeImage } from './resize.ts'
import { UnusableImage } from './unusable-image.ts'

const red = { r: 200, g: 20, b: 20 }
const blank = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: red } })
const seeThrough = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: { ...red, alpha: 0.5 } } })
const inside = (width: number, height: number) => ({ width, height, crop: false })
const cropped = (width: number, height: number) => ({ width, height, crop: true })

describe('size', () => {
  test.each([
    ['fits inside', blank(1000, 500), inside(400, 400), 400, 200],
    ['is cropped', blank(1000, 500), cropped(400, 300), 400, 300],
    ['is never enlarged', blank(40, 20), inside(400, 400), 40, 20],
    ['is cropped to the aspect ratio, not enlarged', blank(500, 300), cropped(400, 400), 300, 300],
    ['stays at least one pixel', blank(2, 2), cropped(400, 1), 2, 1],
  ])('%s', async (_, image, fit, width, height) => {
    const { bytes } = await resizeImage(await image.png().toBuffer(), fit)
    expect(await sharp(bytes).metadata()).toMatchObject({ width, height })
  })

  test('follows the EXIF orientation, which is removed with all other metadata', async () => {
    // Upper half blue, lower half red, and the camera held so that "up" is on the right.
    const half = await sharp({ create: { width: 100, height: 30, channels: 3, background: '#00f' } })
      .png()
      .toBuffer()
    const turned = blank(100, 60).composite([{ input: half, top: 0, left: 0 }])
    const photo = turned
      .withMetadata({ orientation: 6 })
      .withExifMerge({ IFD0: { Copyright: 'someone' } })
      .jpeg()
    const { bytes } = await resizeImage(await photo.toBuffer(), inside(400, 400))
    const metadata = await sharp(bytes).metadata()
    expect(metadata).toMatchObject({ width: 60, height: 100 })
    expect([metadata.exif, metadata.orientation, metadata.icc, metadata.xmp]).toEqual(Array(4).fill(undefined))
    const right = await sharp(bytes).extract({ left: 50, top: 50, width: 1, height: 1 }).raw().toBuffer()
    expect(right[2]).toBeGreaterThan(200)
  })
})

describe('format', () => {
  test.each([
    ['JPEG', 'jpg', blank(50, 50).jpeg()],
    ['opaque PNG', 'jpg', blank(50, 50).png()],
    ['opaque WebP', 'jpg', blank(50, 50).webp()],
    ['opaque AVIF', 'jpg', blank(50, 50).avif()],
    ['PNG with alpha', 'png', seeThrough(50, 50).png()],
    ['WebP with alpha', 'png', seeThrough(50, 50).webp()],
    ['GIF with alpha', 'png', seeThrough(50, 50).gif()],
    ['AVIF with alpha', 'png', seeThrough(50, 50).avif()],
    ['CMYK JPEG', 'jpg', blank(50, 50).toColourspace('cmyk').jpeg()],
    ['16-bit PNG', 'png', seeThrough(50, 50).toColourspace('rgb16').png()],
  ])('%s becomes %s', async (_, extension, image) => {
    const resized = await resizeImage(await image.toBuffer(), inside(20, 20))
    const format = extension === 'jpg' ? 'jpeg' : 'png'
    expect(resized).toMatchObject({ extension, fileType: `image/${format}` })
    expect(await sharp(resized.bytes).metadata()).toMatchObject({ format, space: 'srgb', depth: 'uchar' })
  })
})

describe('an unusable image is rejected:', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'
  test.each([
    ['no bytes', Buffer.alloc(0)],
    ['text', Buffer.from('hello')],
    ['SVG', Buffer.from(svg)],
    ['SVG with a declaration', Buffer.from(`<?xml version="1.0"?>${svg}`)],
    ['a PDF', Buffer.from('%PDF-1.7\n')],
    ['a signature alone', Buffer.from('ffd8ffe000104a464946', 'hex')],
  ])('%s', async (_, bytes) => {
    await expect(resizeImage(bytes, inside(10, 10))).rejects.toThrow(UnusableImage)
  })

  test.each([['jpeg'], ['png'], ['webp'], ['gif'], ['avif']] as const)('half a %s', async (format) => {
    const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
    const whole = await sharp({ create: { width: 100, height: 100, channels: 3, background: red, noise } })
      .toFormat(format)
      .toBuffer()
    const half = whole.subarray(0, whole.length / 2)
    await expect(resizeImage(half, inside(50, 50))).rejects.toThrow('The image is damaged or cannot be decoded.')
  })
})

test('a PNG with comments is rotated, and keeps its colours and transparency', async () => {
  const picture = () => seeThrough(50, 40).withIccProfile('p3').withMetadata({ orientation: 6 })
  const [png, webp] = [picture().png({ palette: true }), picture().webp({ lossless: true })]
  const bytes = await png.toBuffer()
  const afterHeader = 33
  const comment = chunk('tEXt', Buffer.from('Comment\0hello', 'latin1'))
  const commented = Buffer.concat([bytes.subarray(0, afterHeader), comment, bytes.subarray(afterHeader)])
  expect(await sharp(commented).metadata()).toMatchObject({ comments: [{ text: 'hello' }] })
  const [ofPng, ofWebp] = [
    await resizeImage(commented, inside(50, 50)),
    await resizeImage(await webp.toBuffer(), inside(50, 50)),
  ]
  expect(await sharp(ofPng.bytes).metadata()).toMatchObject({ width: 40, height: 50, hasAlpha: true })
  expect(await sharp(ofPng.bytes).raw().toBuffer()).toEqual(await sharp(ofWebp.bytes).raw().toBuffer())
})
