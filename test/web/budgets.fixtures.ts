import { expect } from 'vitest'
import type { AccessMode } from '../../src/contract/access.ts'
import { siteAddresses, startSite } from './site.ts'

/** What a browser loads for a page before it is scrolled, in markup that a strict parser has accepted. */
const loadedBy = (page: string): string[] =>
  [
    ...page.matchAll(
      /<(?:link rel="stylesheet" href|script\b[^>]* src|img\b(?![^>]*loading="lazy")[^>]* src)="([^"]*)"/g,
    ),
  ].map(([, url = '']) => url)

/** The page itself, a style, a script, the logo, and a banner or photo. */
const maxRequests = 5

/** Reads every page. @param ofEach how many records at most, of each route */
export async function expectFewRequests(mode: AccessMode, ofEach?: number): Promise<void> {
  await using site = await startSite({ mode, content: 'sample' })
  for (const { path, headers } of await siteAddresses(site, ofEach === undefined ? undefined : () => ofEach)) {
    const response = await fetch(site.url + path, { headers: { accept: 'text/html', ...headers } })
    const loaded = loadedBy(await response.text())
    expect(loaded.length, `${path} loads ${loaded}`).toBeGreaterThanOrEqual(2)
    expect(1 + loaded.length, `${path} loads ${loaded}`).toBeLessThanOrEqual(maxRequests)
    expect(
      loaded.filter((url) => !url.startsWith('/')),
      path,
    ).toEqual([])
  }
}
