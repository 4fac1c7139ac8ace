import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { httpStatusOf } from '../../../contract/failures.ts'
import type { Failure } from '../../core/failure.ts'
import { isLoopback } from '../../core/loopback.ts'
import type { OperationRunner } from '../api.ts'
import { asFailure, recordFailure, setFailureHeaders } from '../response/failures.ts'
import type { AssetName } from './assets.ts'
import { type Html, html } from './html.ts'

/** Shared by all pages. */
export interface Pages {
  runner: OperationRunner
  /** Whether organizers sign in with accounts of an identity provider. */
  hasProvider: boolean
  /** The base URL, if it is that of this machine only: then nobody signs in from another, where there is no TLS. */
  localUrl: string | undefined
  /** The path of the base URL, with which the paths of all links begin; without a trailing slash. */
  base: string
  /** Whether participants sign in with codes by e-mail. */
  sendsCodes: boolean
  /** The time zone of all times. */
  timeZone: string
}

export interface Page {
  title: string
  content: Html
  scripts?: readonly AssetName[]
  /** Headers in addition to those of all pages, or in place of them. */
  headers?: Record<string, string>
}

/**
 * The page loads only scripts and styles with its nonce, since uploaded files share this origin, and is shown in no
 * frame. A browser names this origin in `Origin` only if it may send a referrer to it.
 */
const headersOf = (nonce: string) => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; img-src data:; connect-src 'self'; ` +
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
})

export function sendPage(reply: FastifyReply, pages: Pages, page: Page): FastifyReply {
  const { localUrl } = pages
  const host = URL.parse(`http://${reply.request.headers.host}`)?.hostname ?? ''
  if (localUrl === undefined || isLoopback(host)) return send(reply, pages, page)
  const content = html`<p>Organizers sign in here only with an encrypted connection. On the machine of the server, open
<code>${localUrl}</code>. For all others, set <code>PUBLIC_URL</code> to an https address.</p>`
  return send(reply.statusCode < 400 ? reply.code(403) : reply, pages, { title: 'Not from here', content })
}

function send(
  reply: FastifyReply,
  { base }: Pages,
  { title, content, scripts = [], headers = {} }: Page,
): FastifyReply {
  const nonce = randomBytes(16).toString('base64')
  const { text } = html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – Summit</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" nonce="${nonce}" href="${base}/pages/style.css">
${scripts.map((name) => html`<script type="module" nonce="${nonce}" src="${base}/pages/${name}"></script>\n`)}<main>
<h1>${title}</h1>
${content}
</main>
</html>
`
  return reply.headers({ ...headersOf(nonce), ...headers }).send(text)
}

/** Redirects after a form was sent, so that reloading does not send it again (RFC 9110, 15.4.4). */
export const redirect = (reply: FastifyReply, location: string, cookies: readonly string[] = []): FastifyReply =>
  reply
    .headers({ 'cache-control': 'no-store', ...(cookies.length > 0 && { 'set-cookie': [...cookies] }) })
    .redirect(location, 303)

/** Creates the error handler of a page's route. @param respond sends a page with the failure */
export const failWith =
  (respond: (failure: Failure, reply: FastifyReply) => FastifyReply) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const failure = asFailure(error)
    recordFailure(request, failure)
    setFailureHeaders(reply, failure)
    reply.code(httpStatusOf(failure.reason))
    return respond(failure, reply)
  }

/** The sentence that describes a failure. */
export const alertOf = ({ message, fields }: Failure): Html =>
  html`<p class="alert" role="alert">${fields.length > 0 ? fields.map((field) => field.message).join(' ') : message}</p>`

/** A time of zeros stands for none. */
const isTime = (timestamp: string): boolean => !timestamp.startsWith('0000')

/** The times of a record, each on a line of its own: `Since 2030-05-01 09:00`. Those without a value are left out. */
export const timesOf = (times: Readonly<Record<string, string>>): Html =>
  html`<p class="hint times">${Object.entries(times)
    .filter(([, timestamp]) => isTime(timestamp))
    .map(([name, timestamp]) => html`<span>${name} ${toMinute(timestamp)}</span> `)}</p>`

export const toMinute = (timestamp: string): string => timestamp.slice(0, 'YYYY-MM-DD HH:MM'.length)
