import type { FastifyReply, FastifyRequest } from 'fastify'
import { httpStatusOf } from '../../../contract/failures.ts'
import { text } from '../../../web/text/en.ts'
import { expiredSessionCookie, readSessionCookie } from '../../auth/cookies.ts'
import { privateNoStore } from '../../core/cache-control.ts'
import type { Failure } from '../../core/failure.ts'
import type { Audience } from '../../core/principal.ts'
import type { OperationRunner } from '../api.ts'
import type { ResponseBudget } from '../budgets/response-budget.ts'
import { routedPath } from '../request/path.ts'
import { asFailure, recordFailure, setFailureHeaders } from '../response/failures.ts'
import type { AssetPath } from './assets.ts'
import { html } from './html.ts'
import { assetsBeside, type Frame, type Page, renderPage } from './layout.ts'

/** Shared by all pages. */
export interface Pages {
  runner: OperationRunner
  /** Undefined if the assets were not built. */
  asset: AssetPath | undefined
  /** The path of the base URL, with which the paths of all links begin; without a trailing slash. */
  base: string
  /** Whether somebody can sign in with a browser. */
  hasSignIn: boolean
  /** The audience of people who have not signed in. */
  visitors: Audience
  /** The mode of access that lets search engines in. */
  isPublic: boolean
  /** Reads the base URL for a request. @throws Failure BAD_REQUEST, UNKNOWN_HOST */
  readBaseUrl(request: FastifyRequest): string
  /** Reads what the frame of a page shows to an audience. */
  readFrame(viewer: { audience: Audience; baseUrl: string }): Promise<Pick<Frame, 'conference' | 'listsPeople'>>
}

/** A page for one person, or for a request that failed: never cached. */
export interface OwnPage extends Page {
  /** Headers in addition to those of all pages, or in place of them. */
  extraHeaders?: Record<string, string>
}

/** Writes and sends a page for one person, or for a request that failed. */
export async function sendPage(reply: FastifyReply, pages: Pages, page: OwnPage): Promise<FastifyReply> {
  const { request } = reply
  if (!pages.asset) return sendNotBuilt(reply)
  const { extraHeaders, ...content } = page
  const frame = await frameFor(request, pages, pages.asset)
  const { body, headers } = renderPage(content, frame)
  return sendOwn(reply, { ...headers, ...extraHeaders }, body, frame.baseUrl)
}

/** Sends a page that no cache may store. */
export function sendOwn(
  reply: FastifyReply,
  headers: Readonly<Record<string, string>>,
  body: string,
  baseUrl = reply.request.baseUrl,
): FastifyReply {
  const allow = assetsBeside(reply.request.headers.host, baseUrl)
  const policy = headers['content-security-policy'] ?? ''
  const own = {
    'cache-control': privateNoStore,
    ...headers,
    ...(allow && { 'content-security-policy': allow(policy) }),
  }
  return reply.headers(own).send(body)
}

/** The frame of a page for the sender of a request; without the program for whoever may not read it. */
async function frameFor(request: FastifyRequest, pages: Pages, asset: AssetPath): Promise<Frame> {
  const { base, hasSignIn, isPublic } = pages
  const baseUrl = pages.readBaseUrl(request)
  const audience = request.principal?.audience ?? pages.visitors
  const common = { asset, baseUrl, base, path: pathOf(request), audience, hasSignIn, isPublic }
  try {
    return { ...common, ...(await pages.readFrame({ audience, baseUrl })) }
  } catch (error) {
    // Without a database, a failure still gets a page.
    if (asFailure(error).reason === 'INTERNAL')
      request.server.log.error({ reqId: request.id, err: error }, 'reading the frame of a page failed')
    return { ...common, conference: undefined, listsPeople: false }
  }
}

/**
 * Counts the bytes of a page among those that wait to be sent.
 * @param bytes the object that holds the memory
 * @throws Failure UNAVAILABLE for a large page while too many bytes wait
 */
export function reserve({ request, raw }: FastifyReply, budget: ResponseBudget, bytes: object, size: number): void {
  budget.assertAvailable(size)
  budget.assertAvailableTo(request.raw, bytes, size)
  budget.reserve(raw, bytes, size)
}

/** The path of a request, without its query. */
export const pathOf = ({ url }: Pick<FastifyRequest, 'url'>): string => url.replace(/[?#].*/, '')

/** Without their styles and scripts, pages would be unreadable. */
export const sendNotBuilt = (reply: FastifyReply): FastifyReply =>
  reply
    .code(503)
    .headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
    .send(`${text.failure.notBuilt}\n`)

/** Redirects after a form was sent, so that reloading does not send it again (RFC 9110, 15.4.4). */
export const redirect = (reply: FastifyReply, location: string, cookies: readonly string[] = []): FastifyReply =>
  reply
    .headers({ 'cache-control': 'no-store', ...(cookies.length > 0 && { 'set-cookie': [...cookies] }) })
    .redirect(location, 303)

type Respond = (failure: Failure, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>

/** Creates the error handler of a page's route. @param respond sends a page with the failure */
export const failWith =
  (respond: Respond) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> => {
    const failure = asFailure(error)
    recordFailure(request, failure)
    setFailureHeaders(reply, failure)
    reply.code(httpStatusOf(failure.reason))
    return respond(failure, reply)
  }

/** Paths of programs, whose failures are never pages. */
const ofPrograms = /^\/(?:api|k|healthz|readyz|metrics|openapi\.json)(?:\/|$)/

/** Whether somebody looks at the response in a browser, as what it accepts says. */
export const prefersPage = ({ url, headers }: FastifyRequest): boolean =>
  headers.accept?.includes('text/html') === true && !ofPrograms.test(routedPath(url))

/**
 * Sends a page for a failure: what went wrong, and where to go on. Somebody who has to sign in is sent there, and comes back.
 */
export async function sendPageFailure(reply: FastifyReply, pages: Pages, failure: Failure): Promise<FastifyReply> {
  const { base } = pages
  const { request } = reply
  if (!hasBaseUrl(pages, request)) return sendPlainFailure(reply, failure)
  if (pages.hasSignIn && (failure.reason === 'UNAUTHENTICATED' || failure.reason === 'CREDENTIAL_EXPIRED'))
    return isFromElsewhere(request)
      ? sendHop(reply)
      : redirect(reply, `${base}/sign-in?${new URLSearchParams({ next: request.url })}`, withoutSession(request))
  const { title, body, isOurs } = describeFailure(failure)
  return sendPage(reply, pages, {
    title,
    isNarrow: true,
    content: html`<p>${body}</p>
${isOurs ? html`<p class="hint">${text.failure.reference(request.id)}</p>` : undefined}
<p class="actions"><a class="button primary" href="${base}/">${text.failure.toStart}</a> <a class="button" href="${base}/program">${text.failure.toProgram}</a></p>`,
  })
}

/** Whether links and styles would have an address: that of a request that names no host of ours is not known. */
function hasBaseUrl({ readBaseUrl }: Pages, request: FastifyRequest): boolean {
  try {
    return readBaseUrl(request) !== ''
  } catch {
    return false
  }
}

/** Says what went wrong, where there can be no page. */
export const sendPlainFailure = (reply: FastifyReply, { message }: Failure): FastifyReply =>
  reply.headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }).send(`${message}\n`)

/** Whether a link of another site led here, as one in a mail: then browsers send no strict cookie. */
const isFromElsewhere = ({ headers }: FastifyRequest): boolean =>
  headers['sec-fetch-site'] === 'cross-site' || headers['sec-fetch-site'] === 'same-site'

/** A page that loads itself again, now from this site, with the cookies of this site. */
const sendHop = (reply: FastifyReply): FastifyReply =>
  reply
    .code(200)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    })
    .removeHeader('www-authenticate')
    .send(
      html`<!doctype html><html lang="${text.language}"><meta http-equiv="refresh" content="0"><title>${text.brand}</title>`
        .text,
    )

/** Takes back a cookie that was refused. With it, not even what everybody may read could be read. */
const withoutSession = ({ raw }: FastifyRequest): string[] =>
  readSessionCookie(raw) === undefined ? [] : [expiredSessionCookie]

function describeFailure({ reason, message }: Failure): { title: string; body: string; isOurs?: boolean } {
  const { failure } = text
  const status = httpStatusOf(reason)
  if (status === 404) return { title: failure.notFoundTitle, body: failure.notFound }
  if (status === 403) return { title: failure.title, body: failure.forbidden }
  if (status >= 500) return { title: failure.unavailableTitle, body: failure.unavailable, isOurs: true }
  return { title: failure.title, body: message }
}
