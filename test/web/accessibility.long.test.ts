import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { browserMissing, openBrowser } from '../browser.ts'
import { failingPaths, siteAddresses, startSite } from './site.ts'
import { openWatchedPage, type WatchedPage } from './watched-page.ts'

if (browserMissing) console.log(`Skipped: ${browserMissing}.`)

const axe = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

interface Violation {
  id: string
  nodes: { html: string; failureSummary: string }[]
}

/** Whatever axe-core finds on the page, with the first element of each kind, and whether it jumps or is too wide. */
async function faultsOf({ page }: WatchedPage): Promise<string[]> {
  const { violations } = (await page.evaluate(`${axe};axe.run(document, { resultTypes: ['violations'] })`)) as {
    violations: Violation[]
  }
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 300)} ${nodes[0]?.failureSummary}`)
  const shift = Number(await page.evaluate('window.__shift'))
  if (shift > maxShift) found.push(`it jumps by ${shift.toFixed(3)}`)
  if (Number(await page.evaluate(overflow)) > 0) found.push('it is wider than the window')
  return found
}

/** How a page is looked at. */
const phone = { width: 320, colorScheme: 'light' } as const
const desktop = { width: 1440, colorScheme: 'dark' } as const

/** By how much a page may jump while it loads (https://web.dev/articles/cls). */
const maxShift = 0.02

const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

describe.skipIf(browserMissing)('axe-core finds nothing on any page, at 320 and 1440 pixels, light and dark', () => {
  test.each([
    // Other modes have other pages, in the same style.
    { mode: 'open', content: 'sample', views: [phone] },
    { mode: 'public', content: 'sample', views: [phone] },
    { mode: 'members', content: 'sample', views: [phone, desktop] },
    { mode: 'members', content: 'empty', views: [phone] },
  ] as const)('with the $content in the mode $mode', { timeout: 900_000 }, async ({ views, ...options }) => {
    await using site = await startSite(options)
    await using watched = await openWatchedPage(site.url)
    const failing = failingPaths.map((path) => ({ path, headers: site.participant }))
    const problems: Record<string, string[]> = {}
    // Organizers see the same console in each mode.
    const addresses = (await siteAddresses(site, () => 2)).filter(
      ({ path }) => options.mode === 'members' || !path.startsWith('/console'),
    )
    for (const { path, headers } of [...addresses, ...failing]) {
      await watched.become(headers)
      for (const { width, colorScheme } of views) {
        await watched.page.setViewportSize({ width, height: 900 })
        await watched.page.emulateMedia({ colorScheme })
        const found = await watched.visit(site.url + path)
        found.push(...(await faultsOf(watched)))
        if (found.length > 0) problems[`${path} ${width} ${colorScheme}`] = found
      }
    }
    expect(problems).toEqual({})
  })
})

const toCsv = (...rows: string[]) => ({
  name: 'program.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(['ID,Title,Start,End,Room', ...rows].join('\n')),
})

/** Forms of the console that say something is wrong, and what they say. */
const failingForms: readonly { path: string; fill: (page: Page) => Promise<unknown>; says: string | RegExp }[] = [
  { path: '/console/settings', fill: (page) => page.fill('[name=url]', 'nowhere'), says: 'One field needs' },
  { path: '/console/sessions/1', fill: (page) => page.fill('[name=title]', ''), says: 'One field needs' },
  { path: '/console/speakers/1', fill: (page) => page.fill('[name=name]', ''), says: 'One field needs' },
  { path: '/console/rooms', fill: (page) => page.fill('[name=name-1]', ''), says: 'sessions are in what you wanted' },
  { path: '/console/tracks', fill: (page) => page.fill('[name=name-1]', ''), says: 'sessions are in what you wanted' },
  { path: '/console/publish?events=', fill: async () => undefined, says: 'Nothing was changed' },
  {
    path: '/console/import',
    fill: (page) => page.setInputFiles('[name=file]', toCsv('1,Opening,later,2030-05-02 10:00,Hall')),
    says: /^Line 2/,
  },
  {
    path: '/console/import',
    fill: (page) =>
      page.setInputFiles(
        '[name=file]',
        toCsv('1,Opening,2030-05-02 09:00,2030-05-02 10:00,Hall', '2,Opening,2030-05-02 09:30,2030-05-02 10:30,Hall'),
      ),
    says: 'What this file changes',
  },
]

/** Sends the form without what stops a browser. */
const send = `{
  const button = document.querySelector('main button.primary')
  button.form.noValidate = true
  button.disabled = false
  button.click()
}`

describe.skipIf(browserMissing)('axe-core finds nothing on what the console says', () => {
  test('about a form or file with which something is wrong', { timeout: 300_000 }, async () => {
    await using site = await startSite({ mode: 'open', content: 'sample' })
    await using watched = await openWatchedPage(site.url, { viewport: { width: 320, height: 900 } })
    const { page } = watched
    await watched.become(site.organizer)
    const problems: Record<string, string[]> = {}
    for (const { path, fill, says } of failingForms) {
      await watched.visit(site.url + path)
      await fill(page)
      await page.evaluate(send)
      await page.getByText(says).first().waitFor()
      // Whoever uses no pointer goes on from what the page says.
      await page.locator('[autofocus]:focus').waitFor()
      const found = [...(await watched.inspect()), ...(await faultsOf(watched))]
      if (found.length > 0) problems[`${path}: ${says}`] = found
    }
    expect(problems).toEqual({})
  })
})

describe.skipIf(browserMissing)('where scripts come late', () => {
  test('an organizer who is offered a passkey sees nothing jump', async () => {
    await using site = await startSite({ mode: 'public', content: 'sample' })
    await using watched = await openWatchedPage(site.url, { viewport: { width: 320, height: 900 } })
    const { page } = watched
    await watched.become(site.organizer)
    await page.route('**/*.js', async (route) => {
      await page.locator('#passkeys').waitFor()
      // Whatever is there is painted twice.
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
      await route.continue()
    })
    await watched.visit(`${site.url}/me/passkey`)
    await page.getByLabel('Name of this device').waitFor()
    expect(Number(await page.evaluate('window.__shift'))).toBeLessThanOrEqual(maxShift)
  })
})

describe.skipIf(browserMissing)('with letters of twice the size', () => {
  test('no page of the console is wider than a phone', { timeout: 300_000 }, async () => {
    await using site = await startSite({ mode: 'members', content: 'sample' })
    await using watched = await openWatchedPage(site.url, { viewport: { width: 320, height: 640 } })
    const { page } = watched
    await watched.become(site.organizer)
    const tooWide: string[] = []
    for (const { route, path } of await siteAddresses(site, () => 1)) {
      if (!route.startsWith('/console')) continue
      await page.goto(site.url + path)
      await page.evaluate('document.documentElement.style.fontSize = "200%"')
      if (Number(await page.evaluate(overflow)) > 0) tooWide.push(path)
    }
    expect(tooWide).toEqual([])
  })
})

describe.skipIf(browserMissing)('in a language that is written from right to left', () => {
  test('every page is mirrored, and none is wider than the window', { timeout: 300_000 }, async () => {
    await using site = await startSite({ mode: 'open', content: 'sample' })
    await using browser = await openBrowser()
    const page = await browser.newPage()
    const problems: string[] = []
    for (const { path } of await siteAddresses(site, () => 1)) {
      await page.goto(site.url + path)
      await page.evaluate('document.documentElement.dir = "rtl"')
      for (const width of [320, 1440]) {
        await page.setViewportSize({ width, height: 900 })
        if (Number(await page.evaluate(overflow)) > 0) problems.push(`${path} ${width}: it is wider than the window`)
        const brand = await page.locator('.brand').boundingBox()
        if ((brand?.x ?? 0) < width / 2 - 100) problems.push(`${path} ${width}: the bar is not mirrored`)
      }
    }
    expect(problems).toEqual([])
  })
})

/** Moves the focus to the first element that matches, by the tabulator alone. */
async function tabTo({ page }: WatchedPage, selector: string): Promise<void> {
  for (let presses = 0; presses < 200; presses += 1) {
    await page.keyboard.press('Tab')
    if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return
  }
  throw new Error(`${selector} cannot be reached`)
}

/** What is drawn around the focused element; `0px` for nothing. */
const outline = 'getComputedStyle(document.activeElement).outlineWidth'

describe.skipIf(browserMissing)('with the keyboard alone', () => {
  test('somebody skips to the content, opens a session, stars it, and finds it in their plan', async () => {
    await using site = await startSite({ mode: 'public', content: 'sample' })
    await using watched = await openWatchedPage(site.url)
    const { page } = watched
    await watched.page.goto(`${site.url}/program`)

    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.className')).toBe('skip')
    expect(await page.evaluate(outline)).not.toBe('0px')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.closest("main") !== null')).toBe(true)

    await tabTo(watched, '.session h3 a')
    expect(await page.evaluate(outline)).not.toBe('0px')
    const title = String(await page.evaluate('document.activeElement.textContent'))
    await page.keyboard.press('Enter')
    await page.waitForURL('**/sessions/*')
    expect(await page.locator('h1').textContent()).toBe(title)

    await tabTo(watched, '[data-star]')
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.getAttribute("aria-pressed")')).toBe('true')

    await page.goto(`${site.url}/program`)
    await tabTo(watched, 'nav.tabs a[href$="/plan"]')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/plan')
    await page.locator('main').filter({ hasText: title }).waitFor()
  })
})
