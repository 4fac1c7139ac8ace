import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { siteAddresses, startSite } from './site.ts'

const kilobyte = 1_000

/** The largest sizes of the assets, compressed as they are sent. */
const budgets = {
  'attendee.js': 10 * kilobyte,
  'account.js': 10 * kilobyte,
  'console.js': 10 * kilobyte,
  'style.css': 8 * kilobyte,
  'console.css': 4 * kilobyte,
}

test.each(Object.entries(budgets))('%s has at most %i bytes, compressed', async (name, maxBytes) => {
  const built = await readFile(new URL(`../../src/web/built/${name}`, import.meta.url))
  expect(gzipSync(built, { level: 9 }).length).toBeLessThanOrEqual(maxBytes)
})

/** What a browser loads for a page before it is scrolled, in markup that a strict parser has accepted. */
const loadedBy = (page: string): string[] =>
  [
    ...page.matchAll(
      /<(?:link rel="stylesheet" href|script\b[^>]* src|img\b(?![^>]*loading="lazy")[^>]* src)="([^"]*)"/g,
    ),
  ].map(([, url = '']) => url)

/** The page itself, a style, a script, the logo, and a banner or photo. */
const maxRequests = 5

test.each(['open', 'members'] as const)(
  'in the mode %s a page needs few requests, all of them of this site',
  { timeout: 60_000 },
  async (mode) => {
    await using site = await startSite({ mode, content: 'sample' })
    for (const { path, headers } of await siteAddresses(site)) {
      const response = await fetch(site.url + path, { headers: { accept: 'text/html', ...headers } })
      const loaded = loadedBy(await response.text())
      expect(loaded.length, `${path} loads ${loaded}`).toBeGreaterThanOrEqual(2)
      expect(1 + loaded.length, `${path} loads ${loaded}`).toBeLessThanOrEqual(maxRequests)
      expect(
        loaded.filter((url) => !url.startsWith('/')),
        path,
      ).toEqual([])
    }
  },
)
