import { text } from '../../../web/text/en.ts'
import { type Html, html } from './html.ts'

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
  /** The rest of the query of each page: a search, filters. Empty values are left out. */
  query?: Readonly<Record<string, string>>
  from: number
  size: number
  hasNext: boolean
  words: { previous: string; next: string }
  /** An element of the page at which reading goes on. */
  fragment?: string
}

/** Links to the pages before and after; nothing if this is the only one. */
export function pager({ path, query = {}, from, size, hasNext, words, fragment = '' }: PagerOptions): Html | undefined {
  if (from === 0 && !hasNext) return undefined
  const link = (start: number, rel: 'prev' | 'next', label: string) =>
    html`<a class="button" rel="${rel}" href="${addressOf(path, { ...query, from: String(start) })}${fragment}">${label}</a>\n`
  return html`<nav class="pager" aria-label="${text.pager}">
${from > 0 && link(Math.max(0, from - size), 'prev', words.previous)}${hasNext && link(from + size, 'next', words.next)}</nav>`
}

/** An address with a query, without what is empty. The first page names no `from`, so it is cached. */
export function addressOf(path: string, query: Readonly<Record<string, string>>): string {
  const named = Object.entries(query).filter(([name, value]) => value !== '' && !(name === 'from' && value === '0'))
  return named.length > 0 ? `${path}?${new URLSearchParams(named)}` : path
}
