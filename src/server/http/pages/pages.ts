import type { FastifyInstance } from 'fastify'
import { existsIn } from '../../../contract/access.ts'
import { operations } from '../../../contract/index.ts'
import { signInUrlOf } from '../../config/sign-in-url.ts'
import type { Context } from '../../context.ts'
import type { Freshness } from '../../log/changes/freshness.ts'
import type { OperationRunner } from '../api.ts'
import { createBaseUrlReader } from '../request/host.ts'
import type { AccountPages } from './account/account-page.ts'
import { mountMePage } from './account/me-page.ts'
import { mountSignInPages } from './account/sign-in-page.ts'
import { mountAssets } from './assets.ts'
import { mountAttendeePages } from './attendee/mount.ts'
import { mountConsole } from './console/console.ts'
import { consolePages } from './console/console-pages.ts'
import type { Pages } from './page.ts'
import { mountParts } from './parts.ts'

/** The memory for pages, as a share of that for responses: their bytes are kept plain and compressed. */
const shareOfMemory = 1 / 4

/**
 * Mounts the pages for attendees, and those with which people sign in, and see that they have.
 * @returns the latter, if somebody can sign in here
 */
export async function mountPages(
  app: FastifyInstance,
  { config, database, clock }: Context,
  runner: OperationRunner,
  freshness: Freshness,
): Promise<{ pages: Pages; account: AccountPages | undefined }> {
  const { access, oidc, mail, publicUrl, timeZone } = config
  const signInUrl = signInUrlOf(config)
  const asset = mountAssets(app)
  if (!asset)
    app.log.warn(
      'the pages were not built, so they are not served; the API is: run npm start in a folder that it may write to',
    )
  const readBaseUrl = createBaseUrlReader(config)
  const pages: Pages = {
    runner,
    asset,
    base: new URL(publicUrl ?? 'http://localhost').pathname.replace(/\/$/, ''),
    hasSignIn: signInUrl !== undefined,
    visitors: access === 'open' ? 'open' : 'public',
    isPublic: access === 'public',
    readBaseUrl: ({ raw }) => readBaseUrl(raw),
    readFrame: async ({ audience, baseUrl }) => {
      const reader = runner.openReader({ audience, baseUrl }, database.read, await freshness.refresh())
      const { schedule } = await reader.read('getSchedule', {})
      return { conference: schedule.conference, listsPeople: audience !== 'public' }
    },
  }
  mountAttendeePages(app, pages, {
    database,
    freshness,
    clock,
    maxBytes: Math.floor(config.pageCacheBytes * shareOfMemory),
  })
  const ofMode = consolePages.filter(({ operation, write = operation }) => existsIn(operations[write].access, access))
  mountConsole(app, pages, ofMode, clock)
  mountParts(app, pages, clock)
  if (signInUrl === undefined) return { pages, account: undefined }
  const account: AccountPages = {
    ...pages,
    url: signInUrl,
    hasProvider: oidc !== undefined,
    localUrl: publicUrl === undefined ? signInUrl : undefined,
    sendsCodes: mail !== undefined && access !== 'open',
    timeZone,
  }
  mountSignInPages(app, account)
  mountMePage(app, account, database)
  return { pages, account }
}
