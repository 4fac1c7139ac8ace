import { expect, test } from 'vitest'
import type { ResizedImage } from './resize.ts'
import { createResizer } from './resizer.ts'
import { UnusableImage } from './unusable-image.ts'

const fit = { width: 1, height: 1, crop: true }
const image: ResizedImage = { bytes: Buffer.alloc(0), fileType: 'image/png', extension: 'png' }

test('images are resized one after the other, and beyond ten, clients are told to try again', async () => {
  const started: string[] = []
  const pending: PromiseWithResolvers<ResizedImage>[] = []
  const resize = createResizer((path) => {
    started.push(path)
    const one = Promise.withResolvers<ResizedImage>()
    pending.push(one)
    return one.promise
  })
  const resized = Array.from({ length: 10 }, (_, nth) => resize(String(nth), fit))
  await expect(resize('10', fit)).rejects.toMatchObject({ reason: 'UNAVAILABLE' })
  expect(started).toEqual(['0'])
  const unusable = expect(resized[0]).rejects.toThrow(UnusableImage)
  pending[0]?.reject(new UnusableImage('damaged'))
  await unusable
  await expect.poll(() => started).toEqual(['0', '1'])
  const another = resize('11', fit)
  for (let nth = 1; nth <= 10; nth++) {
    await expect.poll(() => pending).toHaveLength(nth + 1)
    pending[nth]?.resolve(image)
  }
  await another
  await Promise.all(resized.slice(1))
  expect(started.at(-1)).toBe('11')
})
