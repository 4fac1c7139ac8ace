import { expect, test } from 'vitest'
import type { ResizedImage } from './resize.ts'
import { createResizer } from './resizer.ts'
import { UnusableImage } from './unusable-image.ts'

const fit = { width: 1, height: 1, crop: true }
const image: ResizedImage = { bytes: Buffer.alloc(0), fileType: 'image/png', extension: 'png' }

test('images are staged and resized one after the other, and beyond ten, clients are told to try again', async () => {
  const started: string[] = []
  const pending: PromiseWithResolvers<ResizedImage>[] = []
  const resize = createResizer((path) => {
    started.push(path)
    const one = Promise.withResolvers<ResizedImage>()
    pending.push(one)
    return one.promise
  })
  const staged = new Set<string>()
  const send = (path: string) =>
    resize(async () => {
      staged.add(path)
      return { path, discard: async () => void staged.delete(path) }
    }, fit)
  const resized = Array.from({ length: 10 }, (_, nth) => send(String(nth)))
  await expect(send('10')).rejects.toMatchObject({ reason: 'UNAVAILABLE' })
  await expect.poll(() => started).toEqual(['0'])
  expect([...staged]).toEqual(['0'])
  const unusable = expect(resized[0]).rejects.toThrow(UnusableImage)
  pending[0]?.reject(new UnusableImage('damaged'))
  await unusable
  await expect.poll(() => started).toEqual(['0', '1'])
  expect([...staged]).toEqual(['1'])
  const another = send('11')
  for (let nth = 1; nth <= 10; nth++) {
    await expect.poll(() => pending).toHaveLength(nth + 1)
    pending[nth]?.resolve(image)
  }
  await another
  await Promise.all(resized.slice(1))
  expect(started.at(-1)).toBe('11')
  expect(staged.size).toBe(0)
})
