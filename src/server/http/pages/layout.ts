import { createHash } from 'node:crypto'
import type { Conference } from '../../../contract/schedule.ts'
import { text } from '../../../web/text/en.ts'
import type { Audience } from '../../core/principal.ts'
import { type AssetName, type AssetPath, assetFolder } from './assets.ts'
import { Html, html } from './html.ts'

/** The places that every page links to. */
export type Tab = 'now' | 'program' | 'plan' | 'feed' | 'people'

/** Links to pages, of which one may be the present one. */
export interface Navigation {
  /** Its name for those who cannot see it. */
  label: string
  links: readonly { path: string; label: string; isCurrent: boolean }[]
}

/** A page without its frame. */
export interface Page {
  /** Of the window and, unless there is a `heading`, of the page. */
  title: string
  heading?: Html
  content: Html
  tab?: Tab
  /** Links in place of the tabs for attendees. */
  navigation?: Navigation
  /** One sentence for search engines and previews of links. */
  description?: string | undefined
  /** The path of a picture for previews of links. */
  image?: string | undefined
  /** Structured data (https://schema.org), only where search engines may read it. */
  jsonLd?: object
  /** Colours and the like that the page needs beside the style of all. */
  style?: string
  /** Whether the column is as wide as a form or a text, and no wider. */
  isNarrow?: boolean
  /** Whether its last section is beside the rest on a wide screen. */
  hasAside?: boolean
  /** Whether search engines may list it, where the summit is public. */
  isIndexed?: boolean
  /** Until when it shows what is on, in milliseconds since 1970. */
  validUntil?: number | undefined
  script?: Extract<AssetName, `${string}.js`>
}

/** What is around the content of a page. Nothing in it is about one person. */
export interface Frame {
  asset: AssetPath
  /** The base of absolute links, and its path, with which the paths of all links begin; without trailing slashes. */
  baseUrl: string
  base: string
  /** The path of the page below the base, without a query. */
  path: string
  audience: Audience
  /** Undefined for those who may not read the program. */
  conference: Conference | undefined
  /** Whether the audience may read the list of participants. */
  listsPeople: boolean
  /** Whether people sign in here. */
  hasSignIn: boolean
  isPublic: boolean
}

/** The name of the summit, as long as the title of a window may be. */
export const nameOf = (conference: Conference | undefined): string =>
  conference?.title || conference?.acronym || text.brand

/** A local path for an absolute URL of this server; undefined for one elsewhere, which pages never load. */
export const localPath = (
  { baseUrl, base }: Pick<Frame, 'baseUrl' | 'base'>,
  url: string | null,
): string | undefined => (url?.startsWith(`${baseUrl}/`) ? base + url.slice(baseUrl.length) : undefined)

/** A whole page. */
export function renderPage(page: Page, frame: Frame): { body: string; headers: Record<string, string> } {
  const { conference, base, asset } = frame
  const name = nameOf(conference)
  const style = `:root{--hue:${conference?.hue ?? defaultHue}}${page.style ?? ''}`
  const isIndexed = page.isIndexed === true && frame.isPublic
  const { text: body } = html`<!doctype html>
<html lang="${text.language}" data-base="${base}"${conference ? html` data-zone="${conference.time_zone}"` : undefined}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<title>${page.title === name ? name : `${page.title} – ${name}`}</title>
${page.description !== undefined && html`<meta name="description" content="${page.description}">\n`}${isIndexed ? previewOf(page, frame, name) : undefined}<link rel="icon" href="data:,">
<link rel="stylesheet" href="${base}${asset('style.css')}">
${page.script === 'console.js' && html`<link rel="stylesheet" href="${base}${asset('console.css')}">\n`}<style>${new Html(style)}</style>
<script type="module" src="${base}${asset(page.script ?? 'attendee.js')}"></script>
${isIndexed && page.jsonLd ? html`<script type="application/ld+json">${new Html(toInertJson(page.jsonLd))}</script>\n` : undefined}</head>
<body>
<a class="skip" href="#main">${text.skip}</a>
<header class="top">
<a class="brand" href="${base}/">${logoOf(frame)}${brandOf(conference)}</a>
${accountOf(frame)}
</header>
${navigationOf(page.navigation ?? tabsOf(frame, page.tab), base)}
<main id="main" tabindex="-1"${page.isNarrow && html` class="narrow"`}${page.hasAside && html` class="with-aside"`}>
${page.heading ?? html`<h1>${page.title}</h1>`}
${page.content}
</main>
${footerOf(frame)}
</body>
</html>
`
  return { body, headers: headersOf(frame, style, isIndexed) }
}

/** That of the design; organizers choose another. */
export const defaultHue = 262

/** Data in a script element end at `</script` only, so no `<` may be in them. */
const toInertJson = (data: object): string => JSON.stringify(data).replaceAll('<', '\\u003c')

const previewOf = ({ title, description, image }: Page, { baseUrl, path }: Frame, name: string): Html =>
  html`<link rel="canonical" href="${baseUrl}${path}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="${name}">
<meta property="og:title" content="${title}">
<meta property="og:url" content="${baseUrl}${path}">
${description !== undefined && html`<meta property="og:description" content="${description}">\n`}${image !== undefined && html`<meta property="og:image" content="${new URL(image, baseUrl).href}">\n`}`

/** The title, or on a narrow screen the acronym, if there is one. */
function brandOf(conference: Conference | undefined): Html {
  const name = nameOf(conference)
  const short = conference?.acronym || name
  if (short === name) return html`<span dir="auto">${name}</span>`
  return html`<span class="if-wide" dir="auto">${name}</span><span class="if-narrow" dir="auto">${short}</span>`
}

const logoOf = (frame: Frame): Html | undefined => {
  const logo = localPath(frame, frame.conference?.logo_url ?? null)
  return logo === undefined ? undefined : html`<img src="${logo}" alt="" width="32" height="32">`
}

const accountOf = ({ audience, hasSignIn, base, path }: Frame): Html | undefined => {
  if (!hasSignIn || audience === 'open' || /^\/(?:sign-in|setup)(?:\/|$)/.test(path)) return undefined
  const isMe = /^\/me(?:\/|$)/.test(path)
  const me = isMe ? undefined : html`<a class="button" data-account href="${base}/me">${text.account.me}</a>`
  if (audience === 'organizer') return html`<span class="actions">${consoleOf(base, path)}${me}</span>`
  if (audience === 'participant') return me
  const next = path === '/' ? '' : `?next=${encodeURIComponent(path)}`
  return html`<a class="button" href="${base}/sign-in${next}">${text.account.signIn}</a>`
}

/** For organizers, the other half of the pages. */
const consoleOf = (base: string, path: string): Html =>
  /^\/console(?:\/|$)/.test(path)
    ? html`<a class="button" href="${base}/">${text.account.attendeesView}</a>`
    : html`<a class="button" href="${base}/console">${text.account.console}</a>`

function tabsOf({ conference, listsPeople }: Frame, current: Tab | undefined): Navigation | undefined {
  if (!conference) return undefined
  const { nav } = text
  const people = listsPeople ? { path: '/people', label: nav.people } : { path: '/speakers', label: nav.speakers }
  const tabs: { tab: Tab; path: string; label: string }[] = [
    { tab: 'now', path: '/', label: nav.now },
    { tab: 'program', path: '/program', label: nav.program },
    { tab: 'plan', path: '/plan', label: nav.plan },
    { tab: 'feed', path: '/feed', label: nav.feed },
    { tab: 'people', ...people },
  ]
  return { label: nav.label, links: tabs.map(({ tab, ...link }) => ({ ...link, isCurrent: tab === current })) }
}

function navigationOf(navigation: Navigation | undefined, base: string): Html | undefined {
  if (!navigation) return undefined
  const items = navigation.links.map(
    ({ path, label, isCurrent }) =>
      html`<li><a href="${base}${path}"${isCurrent && html` aria-current="page"`}>${label}</a></li>\n`,
  )
  return html`<nav class="tabs" aria-label="${navigation.label}"><ul>\n${items}</ul></nav>`
}

function footerOf({ base, conference, audience, hasSignIn }: Frame): Html {
  const { footer } = text
  const link = (path: string, label: string) => html`<li><a href="${base}${path}">${label}</a></li>\n`
  return html`<footer><ul>
${conference ? html`${link('/speakers', footer.speakers)}${link('/releases', footer.releases)}` : undefined}${audience === 'open' ? html`${hasSignIn ? link('/console', footer.organizers) : undefined}${link('/docs', footer.api)}` : undefined}</ul></footer>`
}

const styleHashes = new Map<string, string>()

/** The source that allows an inline style in a policy (CSP Level 3, 2.3.1). */
function sourceOf(style: string): string {
  const known = styleHashes.get(style)
  if (known !== undefined) return known
  const source = `'sha256-${createHash('sha256').update(style).digest('base64')}'`
  // Each conference has few: one for its tracks, and one for pages without them.
  if (styleHashes.size >= 1_000) styleHashes.clear()
  styleHashes.set(style, source)
  return source
}

/**
 * For a request to another address than that of the links, as of an operator who opens the server beside its proxy: its
 * assets are at that address.
 * @returns a function that lets the policy in a header allow them; undefined if nothing has to be changed
 */
export function assetsBeside(host: string | undefined, baseUrl: string): ((header: string) => string) | undefined {
  if (host === undefined || baseUrl.endsWith(`//${host}`) || baseUrl.includes(`//${host}/`)) return undefined
  const folder = ` ${baseUrl}${assetFolder}`
  return (header) => header.replaceAll(folder, `${folder} http://${host}${assetFolder}`)
}

/**
 * The page loads only scripts and styles from the folder of assets, since uploaded files share this origin, and is shown
 * in no frame. Without a nonce its bytes can be cached. Its scripts cannot turn text into markup or code (Trusted Types).
 * A browser names this origin in `Origin` only if it may send a referrer to it.
 */
function headersOf({ baseUrl }: Frame, style: string, isIndexed: boolean): Record<string, string> {
  const assets = baseUrl + assetFolder
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      `default-src 'none'; script-src ${assets}; style-src ${assets} ${sourceOf(style)}; img-src 'self' blob: data:; ` +
      "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; " +
      "require-trusted-types-for 'script'; trusted-types 'none'",
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    ...(!isIndexed && { 'x-robots-tag': 'noindex' }),
  }
}
