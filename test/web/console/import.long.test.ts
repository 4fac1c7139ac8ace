import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { Failure } from '../../../src/server/core/failure.ts'
import { createImage } from '../../../src/server/domains/participants/photo-changes.fixtures.ts'
import { fileNotice } from '../../../src/server/http/pages/console/import-parts.ts'
import { html } from '../../../src/server/http/pages/html.ts'
import { browserMissing } from '../../browser.ts'
import * as make from '../../make.ts'
import { startInBrowser } from './in-browser.ts'

// What the script of the console does for imports, in a real browser.

async function start() {
  const t = await startInBrowser()
  const toFile = async (file: string, content: string | Buffer) => {
    const path = join(t.dataDir, file)
    await writeFile(path, content)
    return path
  }
  return { ...t, toFile }
}

const widthOf = (page: Page) => page.evaluate('document.documentElement.scrollWidth')
const rows = ['ID,Title,Start,End,Room', '1,Opening,2030-05-02 09:00,2030-05-02 10:00,Hall']

if (browserMissing) console.log(`Skipped: ${browserMissing}.`)

describe.skipIf(browserMissing)('in a browser', () => {
  test('a file is chosen once for its plan, for the plan after a change, and for its import', async () => {
    await using t = await start()
    const { page, url } = t
    await page.goto(`${url}/console/import`)
    // A wrong file first: the page says so, and takes another one.
    await page.setInputFiles('#field-file', await t.toFile('wrong.xlsx', 'PK\x03\x04'))
    await page.getByRole('button', { name: 'Show what it would change' }).click()
    await page.getByText('wrong.xlsx cannot be unpacked').waitFor()
    await page.setInputFiles('#field-file', await t.toFile('program.csv', rows.join('\n')))
    await page.getByRole('button', { name: 'Show what it would change' }).click()
    await page.getByRole('heading', { name: 'What this file changes' }).waitFor()
    expect(page.url()).toBe(`${url}/console/import`)
    expect(await page.evaluate('document.activeElement.textContent')).toBe('What this file changes')
    expect(await page.locator('#field-same-file').isVisible()).toBe(false)
    expect(await widthOf(page)).toBe(320)
    await make.event(t, { title: 'Another' })
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText('The program has changed since you saw this plan.').waitFor()
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText('1 session was imported as drafts').waitFor()
    // Whoever comes back to this address is not told again.
    await page.waitForURL(`${url}/console/import`)
    expect(t.problems.filter((problem) => !/status of 4(?:09|22)/.test(problem))).toEqual([])
  })

  test('a file that is dropped is planned, and one that cannot be sent, or read at once, is not lost', async () => {
    await using t = await start()
    const { page, url } = t
    await page.goto(`${url}/console/import`)
    const dropped = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([${JSON.stringify(rows.join('\n'))}], 'program.csv'))
      return transfer
    })()`)
    await page.dispatchEvent('[data-drop]', 'drop', { dataTransfer: dropped })
    await page.route('**/console/import', (route) => route.abort())
    await page.getByRole('button', { name: 'Show what it would change' }).click()
    await page.getByText('The file could not be sent.').waitFor()
    await page.unroute('**/console/import')
    const busy = html`<main id="main">${fileNotice('')(new Failure('UNAVAILABLE', { retryAfterSeconds: 10 }), {})}</main>`
    await page.route('**/console/import', (route) =>
      route.fulfill({ status: 503, contentType: 'text/html', body: busy.text }),
    )
    await page.getByRole('button', { name: 'Show what it would change' }).click()
    await page.getByText('Try again in 10 seconds.').waitFor()
    await page.unroute('**/console/import')
    await page.getByRole('button', { name: 'Show what it would change' }).click()
    await page.getByRole('heading', { name: 'What this file changes' }).waitFor()
  })

  test('more pictures than a request takes are sent one after the other, and undone together', async () => {
    await using t = await start()
    const { page, url } = t
    const titles = Array.from({ length: 12 }, (_, index) => `Talk ${index}`)
    for (const title of titles) await make.event(t, { title })
    const image = Buffer.from(await (await createImage('#933')).arrayBuffer())
    const files = await Promise.all([...titles, 'Nobody'].map((title) => t.toFile(`${title}.png`, image)))
    await page.goto(`${url}/console/import/images`)
    await page.setInputFiles('#field-names', files)
    await page.getByRole('button', { name: 'Show where they go' }).click()
    await page.getByText('12 pictures found a session or speaker').waitFor()
    await page.getByText('Nobody.png').waitFor()
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText('The pictures are imported.').waitFor({ timeout: 60_000 })
    const banners = async () =>
      (await t.client.getSchedule({})).schedule.events.filter(({ banner_url }) => banner_url !== null).length
    expect(await banners()).toBe(12)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone.').waitFor()
    expect(await banners()).toBe(0)
    expect(t.problems).toEqual([])
  })
})
