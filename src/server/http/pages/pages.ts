import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import type { OperationRunner } from '../api.ts'
import { mountAssets } from './assets.ts'
import { mountMePage } from './me-page.ts'
import type { Pages } from './page.ts'
import { mountSignInPages } from './sign-in-page.ts'

/** Mounts the pages with which people sign in, and see that they have. @param signInUrl the base URL of these pages */
export async function mountPages(
  app: FastifyInstance,
  { config, database }: Context,
  runner: OperationRunner,
  signInUrl: string,
): Promise<Pages> {
  const { access, oidc, mail, timeZone } = config
  const base = new URL(signInUrl).pathname.replace(/\/$/, '')
  const sendsCodes = mail !== undefined && access !== 'open'
  const localUrl = config.publicUrl === undefined ? signInUrl : undefined
  const pages = { runner, hasProvider: oidc !== undefined, localUrl, base, sendsCodes, timeZone }
  await mountAssets(app)
  mountSignInPages(app, pages)
  mountMePage(app, pages, database)
  return pages
}
