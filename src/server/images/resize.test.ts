import { execFileSync } from 'node:child_process'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { resizeImage, UnusableImage } from './resize.ts'

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
    const whole = await sharp({ create: { width: 200, height: 200, channels: 3, background: red, noise } })
      .toFormat(format)
      .toBuffer()
    const half = whole.subarray(0, whole.length / 2)
    await expect(resizeImage(half, inside(100, 100))).rejects.toThrow('The image is damaged or cannot be decoded.')
  })

  test.each([
    ['PNG', pngOf(30_000, 30_000)],
    ['GIF', gifBomb(60_000, 60_000)],
  ])('a %s bomb, within 2 s and 150 MB', (_, bomb) => {
    const { outcome, seconds, mebibytes } = measureResize(bomb)
    expect(outcome).toBe('The image has too many pixels; the limit is 40 million.')
    expect(seconds).toBeLessThan(2)
    expect(mebibytes).toBeLessThan(150)
  })
})

test.each(['zTXt', 'iTXt'])('200 %s chunks of 8 MB are removed before they are decompressed', (type) => {
  const text = deflateSync(Buffer.alloc(8_000_000, 'a'))
  const start = type === 'zTXt' ? 'Comment\0\0' : 'Comment\0\x01\0\0\0'
  const bomb = pngOf(50, 40, Array(200).fill(chunk(type, Buffer.concat([Buffer.from(start, 'latin1'), text]))))
  const { outcome, seconds, mebibytes } = measureResize(bomb)
  expect(mebibytes).toBeLessThan(150)
  expect(seconds).toBeLessThan(2)
  expect(outcome).toBe('jpg')
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

/** Resizes an image in a process of its own and measures the time and memory used. */
function measureResize(image: Buffer): { outcome: string; seconds: number; mebibytes: number } {
  const script = `
    import { buffer } from 'node:stream/consumers'
    import { resizeImage } from ${JSON.stringify(new URL('resize.ts', import.meta.url).href)}
    const image = await buffer(process.stdin)
    const before = process.resourceUsage().maxRSS
    const cpu = process.cpuUsage()
    const fit = { width: 400, height: 400, crop: false }
    const outcome = await resizeImage(image, fit).then(({ extension }) => extension, ({ message }) => message)
    const { user, system } = process.cpuUsage(cpu)
    const seconds = (user + system) / 1e6
    console.log(JSON.stringify({ outcome, seconds, mebibytes: (process.resourceUsage().maxRSS - before) / 1024 }))`
  const out = execFileSync(process.execPath, ['--input-type=module', '-e', script], { input: image })
  return JSON.parse(out.toString())
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

/** A valid PNG of 1-bit pixels, all black: 30,000 x 30,000 of them in about 110 kB. */
function pngOf(width: number, height: number, metadata: Buffer[] = []): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 1
  const rows = deflateSync(Buffer.alloc((1 + Math.ceil(width / 8)) * height))
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  const chunks = [chunk('IHDR', header), ...metadata, chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([signature, ...chunks])
}

/** A GIF whose canvas and only frame claim the given size, with next to no data. */
function gifBomb(width: number, height: number): Buffer {
  const size = Buffer.alloc(4)
  size.writeUInt16LE(width, 0)
  size.writeUInt16LE(height, 2)
  const hex = (text: string) => Buffer.from(text, 'hex')
  const start = [hex('474946383961'), size, hex('800000'), hex('000000ffffff')]
  return Buffer.concat([...start, hex('2c00000000'), size, hex('00'), hex('0202440100'), hex('3b')])
}
