import type { BrowserContextOptions } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { browserMissing } from '../browser.ts'
import { attackTexts } from './attacks.ts'
import { type Address, failingPaths, type Site, siteAddresses, startSite } from './site.ts'
import { renameConference, storeAttacks } from './store-attacks.ts'
import { openWatchedPage, type WatchedPage } from './watched-page.ts'

if (browserMissing) console.log(`Skipped: ${browserMissing}.`)

const phone: BrowserContextOptions = { viewport: { width: 320, height: 640 } }

const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

type Viewed = Pick<Address, 'path' | 'headers'>

/** Opens pages. @returns what should not have happened, by page, and those that are wider than the window */
async function visitAll({ page, become, visit }: WatchedPage, site: Site, addresses: readonly Viewed[]) {
  const problems: Record<string, string[]> = {}
  const tooWide: string[] = []
  let current: Viewed['headers'] | undefined
  for (const { path, headers } of addresses) {
    if (headers !== current) await become(headers)
    current = headers
    const found = await visit(site.url + path)
    if (found.length > 0) problems[path] = found
    if (Number(await page.evaluate(overflow)) > 0) tooWide.push(path)
  }
  return { problems, tooWide }
}

describe.skipIf(browserMissing)('whatever people and organizers write stays text', () => {
  // The mode with the most pages, and the most on them.
  test('no page runs it, breaks its own policy, leaves its site, or becomes wider than a phone', {
    timeout: 900_000,
  }, async () => {
    await using site = await startSite({ mode: 'members', content: 'empty' })
    const texts = attackTexts()
    expect(await storeAttacks(site, texts)).toBeGreaterThan(texts.length * 5)
    // In the console, each text once: that of sessions and speakers which were imported.
    const addresses = await siteAddresses(site, (route) => {
      if (/^\/console\/(?:sessions|speakers)\/:id$/.test(route)) return texts.length
      return route.startsWith('/console') ? 5 : Number.POSITIVE_INFINITY
    })
    expect(addresses.length).toBeGreaterThan(texts.length)
    const failing = failingPaths.map((path) => ({ path, headers: site.participant }))
    await using watched = await openWatchedPage(site.url, phone)
    await using other = await openWatchedPage(site.url, phone)
    const all = [...addresses, ...failing]
    const middle = Math.ceil(all.length / 2)
    const found = await Promise.all([
      visitAll(watched, site, all.slice(0, middle)),
      visitAll(other, site, all.slice(middle)),
    ])
    for (const { problems, tooWide } of found) expect([problems, tooWide]).toEqual([{}, []])
    // Nobody was sent away to sign in.
    await watched.become(site.participant)
    await watched.visit(`${site.url}/program`)
    expect(watched.page.url()).toContain('/program/2030-05-02')
  })

  test('and so does the name of the conference, which every page says', async () => {
    await using site = await startSite({ mode: 'members', content: 'sample' })
    await using watched = await openWatchedPage(site.url, phone)
    let accepted = 0
    for (const text of attackTexts()) {
      if (!(await renameConference(site, text))) continue
      accepted += 1
      const program = { path: '/program', headers: site.participant }
      const { problems, tooWide } = await visitAll(watched, site, [program, { path: '/me', headers: site.organizer }])
      expect([problems, tooWide], text).toEqual([{}, []])
    }
    expect(accepted).toBeGreaterThan(50)
  })
})
