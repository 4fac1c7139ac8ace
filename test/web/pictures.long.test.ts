import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { initializeSummit } from '../../src/demo/initialize.ts'
import { startTestApp } from '../app.ts'
import { browserMissing, openBrowser } from '../browser.ts'

// The pictures of the README, from the sample. `PICTURES=docs/images` writes them.

const folder = process.env.PICTURES
/** An afternoon of the sample, whose first day is the day before the first start. */
const startedAt = Date.parse('2030-05-15T13:20:00Z')
const gap = 24

interface Shot {
  path: string
  width: number
  height: number
  scheme: 'light' | 'dark'
}

test.skipIf(browserMissing)('the pages in the pictures of the README load without an error', async () => {
  await using t = await startTestApp()
  t.setClock(startedAt - t.ctx.clock())
  await initializeSummit(t.ctx, 'sample')
  const { events } = (await t.client.getSchedule({})).schedule
  const moved = (await t.client.listReleases({ offset: 0, limit: 1 })).releases[0]?.events.find(({ to }) => to)
  expect(events.map(({ id }) => id)).toContain(moved?.event_id)
  const { posts } = await t.client.readFeed({ offset: 0, limit: 50 })
  const withPhoto = posts.find(({ files, comment_count }) => files.some((file) => file.is_image) && comment_count > 1)

  const take = async ({ path, width, height, scheme }: Shot): Promise<Buffer> => {
    await using browser = await openBrowser({
      viewport: { width, height },
      deviceScaleFactor: 2,
      colorScheme: scheme,
      timezoneId: 'UTC',
    })
    const page = await browser.newPage()
    const errors: string[] = []
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
    page.on('pageerror', (error) => errors.push(error.message))
    await page.clock.setFixedTime(startedAt)
    await page.goto(t.url + path, { waitUntil: 'networkidle' })
    expect(errors, path).toEqual([])
    return await page.screenshot()
  }
  const phone = { width: 390, height: 780 }
  const phones = [
    await take({ ...phone, path: '/', scheme: 'light' }),
    await take({ ...phone, path: `/sessions/${moved?.event_id}`, scheme: 'dark' }),
    await take({ ...phone, path: `/feed/${withPhoto?.id}`, scheme: 'light' }),
  ]
  const laptop = await take({ path: '/program/2030-05-15', width: 1440, height: 860, scheme: 'light' })
  if (folder === undefined) return
  await mkdir(folder, { recursive: true })
  const width = 2 * phone.width
  const background = { width: 3 * width + 2 * gap, height: 2 * phone.height, channels: 4, background: '#0000' } as const
  const layers = phones.map((input, index) => ({ input, left: index * (width + gap), top: 0 }))
  const together = sharp({ create: background }).composite(layers)
  await writeFile(join(folder, 'phone.webp'), await together.webp({ quality: 80 }).toBuffer())
  await writeFile(join(folder, 'laptop.webp'), await sharp(laptop).resize(1600).webp({ quality: 80 }).toBuffer())
})
