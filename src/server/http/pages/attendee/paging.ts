import { text } from '../../../../web/text/en.ts'
import { type Html, html } from '../html.ts'

/** How many records a page skips, as its query says. */
export function skippedIn(query: URLSearchParams): number {
  const from = query.get('from') ?? ''
  return /^\d{1,9}$/.test(from) ? Number(from) : 0
}

/** The longest search; operations that search take hardly more. */
export const longestSearch = 200

/** The words that are searched, as a query says; '' for none. */
export const searchedIn = (query: URLSearchParams): string => query.get('q')?.trim().slice(0, longestSearch) ?? ''

interface PagerOptions {
  /** The address of the pages, without a query. */
  path: string
  /** The words that are searched; '' for none. */
  q?: string
  from: number
  size: number
  hasNext: boolean
  words: { previous: string; next: string }
  /** An element of the page at which reading goes on. */
  fragment?: string
}

/** Links to the pages before and after; nothing if this is the only one. */
export function pager({ path, q = '', from, size, hasNext, words, fragment = '' }: PagerOptions): Html | undefined {
  if (from === 0 && !hasNext) return undefined
  const link = (start: number, rel: 'prev' | 'next', label: string) =>
    html`<a class="button" rel="${rel}" href="${addressOf(path, { q, from: start })}${fragment}">${label}</a>\n`
  return html`<nav class="pager" aria-label="${text.pager}">
${from > 0 && link(Math.max(0, from - size), 'prev', words.previous)}${hasNext && link(from + size, 'next', words.next)}</nav>`
}

/** The first page has no query, so it is cached. */
export function addressOf(path: string, { q = '', from }: { q?: string; from: number }): string {
  const query = new URLSearchParams({ ...(q !== '' && { q }), ...(from > 0 && { from: String(from) }) })
  return query.size > 0 ? `${path}?${query}` : path
}
