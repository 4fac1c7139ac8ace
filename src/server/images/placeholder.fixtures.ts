import fc from 'fast-check'
import sharp, { type Region } from 'sharp'
import { expect } from 'vitest'
import { luminance } from '../../../test/luminance.ts'
import { drawPlaceholder } from './placeholder.ts'

/** The colour of every n-th pixel of a region, as `#rrggbb`. */
export async function coloursOf(png: Buffer, region: Region, every = 1): Promise<string[]> {
  const bytes = await sharp(png).extract(region).raw().toBuffer()
  const colours: string[] = []
  for (let at = 0; at < bytes.length; at += 3 * every) colours.push(`#${bytes.toString('hex', at, at + 3)}`)
  return colours
}

/** The background of a banner, right of a title of one letter. */
const background: Region = { left: 200, top: 0, width: 1000, height: 628 }

/** Asserts that white text has the contrast of WCAG AA on every part of an event's banner. */
export async function expectReadable(id: number): Promise<void> {
  const colours = new Set(await coloursOf(await drawPlaceholder({ id, title: 'i', kind: 'banner' }), background, 7))
  const brightest = Math.max(...Array.from(colours, luminance))
  expect(1.05 / (brightest + 0.05), `id ${id}`).toBeGreaterThan(4.5)
}

/** Asserts that random titles of any characters are drawn. */
export async function expectAnyTitleIsDrawn({ numRuns }: { numRuns: number }): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.string({ unit: 'binary', maxLength: 1000 }), async (id, title) => {
      const png = await drawPlaceholder({ id, title, kind: 'photo' })
      expect((await sharp(png).metadata()).width).toBe(400)
    }),
    { numRuns },
  )
}
