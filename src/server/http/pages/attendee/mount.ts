import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { privateNoCache } from '../../../core/cache-control.ts'
import { varyBySender } from '../../../core/envelope.ts'
import { noParticipant } from '../../../core/ids.ts'
import { type Audience, isPrivate } from '../../../core/principal.ts'
import type { Position } from '../../../storage/db/open.ts'
import type { Db } from '../../../storage/db/tables.ts'
import type { ResponseBudget } from '../../budgets/response-budget.ts'
import type { VersionedCacheOptions } from '../../cache/versioned-cache.ts'
import { policyHeaders } from '../../response/browser-policy.ts'
import { sendRaw } from '../../response/respond.ts'
import { type AssetPath, acceptsGzip } from '../assets.ts'
import { assetsBeside, renderPage } from '../layout.ts'
import { failWith, type Pages, redirect, reserve, sendNotBuilt, sendOwn, sendPageFailure } from '../page.ts'
import { type CachedPage, PageCache, type PageKey, type WrittenPage } from '../page-cache.ts'
import { feedPage, threadPage } from './feed-page.ts'
import { homePage } from './home-page.ts'
import { peoplePage, personPage } from './people-page.ts'
import { planPage } from './plan-page.ts'
import { dayPage, programPage } from './program-page.ts'
import { releasesPage } from './releases-page.ts'
import { sessionPage } from './session-page.ts'
import type { AttendeePage, Redirect } from './site.ts'
import { mountSitemap } from './sitemap.ts'
import { speakerPage, speakersPage } from './speakers-page.ts'

/** Every page for attendees. `deploy/` lets the same paths through, which a test compares. */
export const attendeePages: readonly AttendeePage[] = [
  homePage,
  ...[programPage, dayPage, sessionPage],
  ...[speakersPage, speakerPage],
  ...[feedPage, threadPage],
  ...[peoplePage, personPage],
  ...[planPage, releasesPage],
]

/** Mounts the pages for attendees. */
export function mountAttendeePages(app: FastifyInstance, pages: Pages, options: VersionedCacheOptions): void {
  const { runner, asset, base } = pages
  const { freshness, database } = options
  const errorHandler = failWith((failure, reply) => sendPageFailure(reply, pages, failure))
  const policy = policyHeaders(app.browserPolicy.any)
  const write = asset && createWriter(pages, asset, options.clock)
  const cache = new PageCache({
    ...options,
    write: async (key, db, position) => {
      const written = await write?.(key, { db, position }, noQuery)
      if (!written || 'redirect' in written) throw new Error(`Not a page to cache: ${key.page.path}`)
      return { ...written, headers: { ...policy, ...written.headers, ...cacheHeaders(key.audience) } }
    },
  })
  for (const page of attendeePages) {
    const isCached = !page.redirects && !page.showsStars
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      if (!write) return sendNotBuilt(reply)
      if (request.baseUrl.startsWith(unnamed)) return reply.redirect(named(request))
      const key = keyOf(page, request)
      const query = knownQuery(page, request)
      const stars = page.showsStars ? await readStars(runner, request) : undefined
      const position = request.position ?? (await freshness.refresh())
      if (isCached && query === noQuery)
        return sendCached(reply, cache.find(key) ?? (await cache.build(key, position)), runner.budget)
      // From no snapshot: a search waits for one itself if what it searches changes meanwhile.
      const written = await write(key, { db: database.read, position }, query, stars)
      if ('redirect' in written) return redirect(reply, base + written.redirect)
      reserve(reply, runner.budget, reply.raw, Buffer.byteLength(written.body))
      return sendOwn(reply, written.headers, written.body)
    }
    app.get(page.path, { onRequest: runner.authorize(page.operation), errorHandler, handler })
  }
  if (pages.isPublic) mountSitemap(app, pages, options)
}

const noQuery = new URLSearchParams()

const cacheHeaders = (audience: Audience): Record<string, string> => ({
  'cache-control': isPrivate(audience) ? privateNoCache : 'public, no-cache',
  vary: audience === 'open' ? 'Accept-Encoding' : `${varyBySender}, Accept-Encoding`,
})

/** Creates a function that writes a page for an audience. */
function createWriter({ runner, base, hasSignIn, isPublic }: Pages, asset: AssetPath, clock: () => number) {
  return async (
    key: PageKey,
    { db, position }: { db: Db; position: Position },
    query: URLSearchParams,
    stars?: string[],
  ): Promise<WrittenPage | Redirect> => {
    const { page, params, path, audience, baseUrl } = key
    const reader = runner.openReader(key, db, position)
    const { schedule } = await reader.read('getSchedule', {})
    const { conference } = schedule
    const listsPeople = audience !== 'public'
    const frame = { asset, baseUrl, base, path, audience, conference, listsPeople, hasSignIn, isPublic }
    const rendered = await page.render({ read: reader.read, frame, schedule, params, query, now: clock(), stars })
    if ('redirect' in rendered) return rendered
    return { ...renderPage(rendered, frame), dependencies: [...reader.dependencies], validUntil: rendered.validUntil }
  }
}

/** The stars of the person who asks; undefined for whoever is no participant. */
const readStars = async ({ read }: Pages['runner'], request: FastifyRequest): Promise<string[] | undefined> =>
  request.principal.participant === noParticipant
    ? undefined
    : (await read('listStars', request, {})).stars.map(({ event_id }) => event_id)

const keyOf = (page: AttendeePage, request: FastifyRequest): PageKey => ({
  audience: request.principal.audience,
  baseUrl: request.baseUrl,
  page,
  params: request.params as Record<string, string>,
  path: pathFor(page, request.params as Record<string, string>),
})

/** The one path of a page: requests may have more slashes in theirs, and other encodings. */
const pathFor = ({ path }: AttendeePage, params: Readonly<Record<string, string>>): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))

/** The parameters of the query that the page knows: links carry others, such as those that count clicks. */
function knownQuery({ query = [] }: AttendeePage, { url }: FastifyRequest): URLSearchParams {
  const start = url.indexOf('?')
  if (start === -1 || query.length === 0) return noQuery
  const sent = new URLSearchParams(url.slice(start))
  const known = [...sent].filter(([name, value]) => query.includes(name) && value !== '')
  return known.length === 0 ? noQuery : new URLSearchParams(known)
}

/** A policy cannot name an IPv6 address (CSP Level 3, 2.3.1), so pages of this machine have its name. */
const unnamed = 'http://[::1]'
const named = ({ baseUrl, url }: FastifyRequest): string => `http://localhost${baseUrl.slice(unnamed.length)}${url}`

/** A smaller page leaves with the first packets, so that counting it would cost more than the page. */
const smallestReserved = 64 * 1024

/**
 * Sends a page from memory, or only says that the browser has it already.
 * @throws Failure UNAVAILABLE for a large page while too many bytes wait to be sent
 */
function sendCached(reply: FastifyReply, page: CachedPage, budget: ResponseBudget): void {
  const { request } = reply
  if (request.headers['if-none-match'] === page.etag) return void sendRaw(reply, 304, headersAt(request, page.headers))
  const { headers, body } = acceptsGzip(request.headers['accept-encoding']) ? page.gzip : page.plain
  if (body.length > smallestReserved) reserve(reply, budget, body, body.length)
  sendRaw(reply, 200, headersAt(request, headers), request.method === 'HEAD' ? undefined : body)
}

function headersAt({ headers: { host }, baseUrl }: FastifyRequest, headers: readonly string[]): readonly string[] {
  const allow = assetsBeside(host, baseUrl)
  return allow ? headers.map(allow) : headers
}
