import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import type { OperationRunner } from '../api.ts'
import { mountAssets } from './assets.ts'
import { mountMePage } from './me-page.ts'
import type { Pages } from './page.ts'
import { mountSignInPages } from './sign-in-page.ts'

/** Mounts the pages with which people sign in, and see that they have. */
export async function mountPages(
  app: FastifyInstance,
  { config, database }: Context,
  runner: OperationRunner,
): Promise<Pages> {
  const { publicUrl, oidc, mail, timeZone } = config
  const base = new URL(publicUrl ?? '').pathname.replace(/\/$/, '')
  const pages = { runner, hasProvider: oidc !== undefined, base, sendsMail: mail !== undefined, timeZone }
  await mountAssets(app)
  mountSignInPages(app, pages)
  mountMePage(app, pages, database)
  return pages
}
