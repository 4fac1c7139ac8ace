import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import sharp, { type Region } from 'sharp'
import { expect, test } from 'vitest'
import { luminance } from '../../../../test/luminance.ts'
import { coloursOf } from './placeholder.fixtures.ts'
import { drawPlaceholder } from './placeholder.ts'

/** The background of a banner, right of a title of one letter. */
const background: Region = { left: 200, top: 0, width: 1000, height: 628 }

/** Asserts that white text has the contrast of WCAG AA on every part of an event's banner. */
async function expectReadable(id: number): Promise<void> {
  const colours = new Set(await coloursOf(await drawPlaceholder({ id, title: 'i', kind: 'banner' }), background, 7))
  const brightest = Math.max(...Array.from(colours, luminance))
  expect(1.05 / (brightest + 0.05), `id ${id}`).toBeGreaterThan(4.5)
}

test('the banners of twelve consecutive events have a contrast of at least 4.5:1 for white text', async () => {
  for (let id = 0; id < 12; id++) await expectReadable(id)
})

test('forty random titles are drawn', () =>
  fc.assert(
    fc.asyncProperty(fc.nat(), fc.string({ unit: 'binary', maxLength: 1000 }), async (id, title) => {
      const png = await drawPlaceholder({ id, title, kind: 'photo' })
      expect((await sharp(png).metadata()).width).toBe(400)
    }),
    { numRuns: 40 },
  ))

test('a placeholder needs no system fonts', async () => {
  const script = `
    import { drawPlaceholder } from ${JSON.stringify(new URL('placeholder.ts', import.meta.url).href)}
    process.stdout.write(await drawPlaceholder({ id: 9, title: 'Opening keynote', kind: 'banner' }))`
  const bare = { FONTCONFIG_FILE: '/nonexistent', FONTCONFIG_PATH: '/nonexistent', HOME: '/nonexistent' }
  const child = spawnSync(process.execPath, ['--input-type=module', '-e', script], { env: bare })
  expect(child.stderr.toString()).toBe('')
  const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
  expect(digest(child.stdout)).toBe(digest(await drawPlaceholder({ id: 9, title: 'Opening keynote', kind: 'banner' })))
})
