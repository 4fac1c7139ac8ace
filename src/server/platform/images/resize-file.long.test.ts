import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { createTemporaryFolder } from '../../../../test/temporary-folder.ts'
import { resizeFile } from './resize-file.ts'

const fit = { width: 32, height: 32, crop: false }

async function pictures() {
  const folder = await createTemporaryFolder()
  const good = join(folder.path, 'good.webp')
  const huge = join(folder.path, 'huge.webp')
  const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#369' } })
    .withXmp('<x/>')
    .webp()
    .toBuffer()
  await writeFile(good, picture)
  await writeFile(huge, withXmp(picture, 48 * 1024 * 1024))
  return { good, huge, [Symbol.asyncDispose]: () => folder.remove() }
}

/** Adds metadata to a WebP, which libwebp and libvips each copy. */
function withXmp(webp: Buffer, size: number): Buffer {
  const picture = webp.subarray(0, webp.indexOf('XMP '))
  const [head, text] = [Buffer.from('XMP \0\0\0\0', 'latin1'), Buffer.alloc(size, 'a')]
  head.writeUInt32LE(size, 4)
  const larger = Buffer.concat([picture, head, text])
  larger.writeUInt32LE(larger.length - 8, 4)
  return larger
}

test('an image that exceeds the memory limit is rejected, and others are not', async () => {
  await using files = await pictures()
  const limits = { mebibytes: 800, seconds: 60 }
  await expect(resizeFile(files.huge, fit, limits)).rejects.toThrow(/^The image .*takes too much memory to decode\.$/)
  expect(await resizeFile(files.good, fit, limits)).toMatchObject({ extension: 'jpg', bytes: expect.any(Buffer) })
  expect(await resizeFile(files.huge, fit)).toMatchObject({ extension: 'jpg' })
})

test('an image that exceeds the time limit is rejected', async () => {
  await using files = await pictures()
  const limits = { mebibytes: 1536, seconds: 0.02 }
  await expect(resizeFile(files.good, fit, limits)).rejects.toThrow('The image takes too long to decode.')
})

test('a missing file is an error, not an unusable image', async () => {
  await expect(resizeFile('/nowhere/1.photo.png', fit)).rejects.toThrow(/exited with code 1: .*ENOENT/s)
})
