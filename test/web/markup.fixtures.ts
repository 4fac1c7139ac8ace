import { expect } from 'vitest'
import { findMarkupProblems } from './markup.ts'
import { failingPaths, siteAddresses, startSite } from './site.ts'

export const readMarkup = async (url: string, headers: Record<string, string>) => {
  const response = await fetch(url, { headers: { accept: 'text/html', ...headers }, redirect: 'manual' })
  return { status: response.status, text: await response.text() }
}

/** Reads every page. @param ofEach how many records at most, of each route */
export async function expectValidMarkup(options: Parameters<typeof startSite>[0], ofEach: number): Promise<void> {
  await using site = await startSite(options)
  for (const { path, headers } of await siteAddresses(site, () => ofEach)) {
    const { status, text } = await readMarkup(site.url + path, headers)
    expect(status, path).toBeLessThan(400)
    if (status === 200) expect(findMarkupProblems(text), path).toEqual([])
  }
  for (const path of failingPaths) {
    const { status, text } = await readMarkup(site.url + path, site.participant)
    expect([status, findMarkupProblems(text)], path).toEqual([404, []])
  }
}
