import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type OverlayOptions } from 'sharp'
import { describe, expect, test } from 'vitest'
import { startOfTest } from '../app.ts'
import { browserMissing } from '../browser.ts'
import { failingPaths, siteAddresses, startSite } from './site.ts'
import { openWatchedPage } from './watched-page.ts'

/** The folder for the pictures; without it, none are made. */
const folder = process.env.CONTACT_SHEETS

const reason = folder === undefined ? 'CONTACT_SHEETS names no folder' : browserMissing
if (reason) console.log(`No contact sheets: ${reason}.`)

const widths = [320, 768, 1024, 1440]
const schemes = ['light', 'dark'] as const
const gap = 16
/** Of a long page, only the beginning. */
const maxHeight = 2_400

interface Shot {
  width: number
  picture: Buffer
}

/** Writes pictures side by side into one file. */
async function writeSheet(file: string, shots: readonly Shot[]): Promise<void> {
  let left = 0
  let height = 0
  const layers: OverlayOptions[] = []
  for (const { width, picture } of shots) {
    const { height: whole = 0 } = await sharp(picture).metadata()
    const shown = Math.min(whole, maxHeight)
    layers.push({
      input: await sharp(picture).extract({ left: 0, top: 0, width, height: shown }).toBuffer(),
      left,
      top: 0,
    })
    left += width + gap
    height = Math.max(height, shown)
  }
  await sharp({ create: { width: left, height, channels: 3, background: '#888' } })
    .composite(layers)
    .png()
    .toFile(file)
}

const nameOf = (path: string): string => path.replace(/^\//, '').replace(/[^a-z0-9]+/gi, '-') || 'home'

describe.skipIf(reason)('a contact sheet of each page with the sample', () => {
  test.each(['open', 'members'] as const)(
    'in the mode %s, in four widths, light and dark',
    { timeout: 900_000 },
    async (mode) => {
      const sheets = join(folder ?? '', mode)
      await mkdir(sheets, { recursive: true })
      await using site = await startSite({ mode, content: 'sample' })
      await using watched = await openWatchedPage(site.url)
      const { page } = watched
      await page.context().clock.setSystemTime(startOfTest)
      const failing = failingPaths.slice(0, 1).map((path) => ({ path, headers: site.participant }))
      for (const { path, headers } of [...(await siteAddresses(site, () => 1)), ...failing]) {
        await watched.become(headers)
        const shots: Shot[] = []
        for (const colorScheme of schemes)
          for (const width of widths) {
            await page.setViewportSize({ width, height: 900 })
            await page.emulateMedia({ colorScheme })
            await page.goto(site.url + path)
            const fullPage = true
            shots.push({ width, picture: await page.screenshot({ fullPage }) })
          }
        await writeSheet(join(sheets, `${nameOf(path)}.png`), shots)
        expect(shots).toHaveLength(widths.length * schemes.length)
      }
    },
  )
})
