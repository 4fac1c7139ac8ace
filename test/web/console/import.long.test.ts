import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { createImage } from '../../../src/server/domains/participants/photo-changes.fixtures.ts'
import { startTestApp } from '../../app.ts'
import { browserMissing, browserSettings, openBrowser } from '../../browser.ts'
import * as make from '../../make.ts'
import { addConference } from '../read-page.ts'
import { signInToConsole } from './organizer.ts'

// What the script of the console does for imports, in a real browser.

/** A summit, and the console of its owner on a narrow screen. */
async function start() {
  const { PORT, PUBLIC_URL } = await browserSettings()
  const t = await startTestApp({ PORT, PUBLIC_URL })
  await addConference(t)
  const eva = await signInToConsole({ ...t, url: PUBLIC_URL })
  const browser = await openBrowser({ viewport: { width: 320, height: 700 } })
  const page = await browser.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  const [name = '', value = ''] = (eva.headers.cookie ?? '').split(/=(.*)/s)
  const url = PUBLIC_URL.replace('http:', 'https:')
  await page.context().addCookies([{ name, value, url, secure: true, httpOnly: true, sameSite: 'Strict' }])
  const toFile = async (file: string, content: string | Buffer) => {
    const path = join(t.dataDir, file)
    await writeFile(path, content)
    return path
  }
  return {
    ...t,
    url: PUBLIC_URL,
    page,
    problems,
    toFile,
    [Symbol.asyncDispose]: async () => {
      await browser[Symbol.asyncDispose]()
      await t[Symbol.asyncDispose]()
    },
  }
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
    expect(page.url()).toBe(`${url}/console/import`)
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
    const busy = '<main id="main"><p role="alert">Try again in 10 seconds.</p></main>'
    await page.route('**/console/import', (route) =>
      route.fulfill({ status: 503, contentType: 'text/html', body: busy }),
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
