import type { FastifyInstance } from 'fastify'
import type { Schedule } from '../../../../contract/schedule.ts'
import type { VersionedCacheOptions } from '../../cache/versioned-cache.ts'
import { html } from '../html.ts'
import type { Pages } from '../page.ts'

/** The most that search engines read of one file (https://www.sitemaps.org/protocol.html). */
const maxUrls = 50_000

/** Each program is read for one base URL. */
const sitemaps = new WeakMap<Schedule, string>()

/** Tells search engines the pages that they may list. */
export function mountSitemap(
  app: FastifyInstance,
  { runner }: Pages,
  { database, freshness }: Pick<VersionedCacheOptions, 'database' | 'freshness'>,
): void {
  app.get('/sitemap.xml', {
    onRequest: runner.authorize('getSchedule'),
    handler: async ({ baseUrl }, reply) => {
      const reader = runner.openReader({ audience: 'public', baseUrl }, database.read, await freshness.refresh())
      const { schedule } = await reader.read('getSchedule', {})
      const sitemap = sitemaps.get(schedule) ?? writeSitemap(schedule, baseUrl)
      sitemaps.set(schedule, sitemap)
      return reply
        .headers({ 'content-type': 'application/xml; charset=utf-8', 'cache-control': 'public, max-age=3600' })
        .send(sitemap)
    },
  })
}

function writeSitemap({ days, events, speakers }: Schedule, baseUrl: string): string {
  const paths = [
    '/',
    ...days.map(({ date }) => `/program/${date}`),
    ...events.map(({ id }) => `/sessions/${id}`),
    ...speakers.map(({ id }) => `/speakers/${id}`),
  ]
  const urls = paths.slice(0, maxUrls).map((path) => html`<url><loc>${baseUrl}${path}</loc></url>\n`)
  return html`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls}</urlset>
`.text
}
