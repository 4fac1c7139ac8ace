import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Failure } from '../../../core/failure.ts'
import { isLoopback } from '../../../core/loopback.ts'
import { formNotice } from '../form.ts'
import { type Html, html } from '../html.ts'
import { type OwnPage, type Pages, sendPage } from '../page.ts'

/** Shared by the pages of people who sign in. */
export interface AccountPages extends Pages {
  /** The base URL of these pages. */
  url: string
  /** Whether organizers sign in with accounts of an identity provider. */
  hasProvider: boolean
  /** The base URL, if it is that of this machine only: then nobody signs in from another, where there is no TLS. */
  localUrl: string | undefined
  /** Whether participants sign in with codes by e-mail. */
  sendsCodes: boolean
  /** The time zone of all times. */
  timeZone: string
}

/** Sends a page for one person. From elsewhere without TLS, it says why nobody can sign in. */
export function sendAccountPage(reply: FastifyReply, pages: AccountPages, page: OwnPage): Promise<FastifyReply> {
  const { localUrl } = pages
  const host = URL.parse(`http://${reply.request.headers.host}`)?.hostname ?? ''
  if (localUrl === undefined || isLoopback(host))
    return sendPage(reply, pages, { isNarrow: true, script: 'account.js', ...page })
  const content = html`<p>Organizers sign in here only with an encrypted connection (https). A link that you have opened here is not
used up. On the machine of the server, open it with <code>${localUrl}</code> in front. For all others, set
<code>PUBLIC_URL</code> to an https address.</p>`
  if (reply.statusCode < 400) void reply.code(403)
  return sendPage(reply, pages, { title: 'Not from here', isNarrow: true, content })
}

/** The longest path to come back to; ours are shorter, with any search. */
const longestNext = 1_000

/**
 * The page from which somebody was sent to sign in, below the base: the parameter `next`.
 * @returns '' for none, and for what would lead to another site
 */
export function nextIn({ url }: FastifyRequest): string {
  const next = new URLSearchParams(url.replace(/^[^?]*/, '')).get('next') ?? ''
  const here = 'http://summit.invalid'
  const parsed = next.startsWith('/') && next.length <= longestNext ? URL.parse(next, here) : null
  if (parsed?.origin !== here) return ''
  // Two slashes at the start would name another host.
  return parsed.pathname.replace(/^\/+/, '/') + parsed.search
}

/** The query with which a form or link hands the page to come back to on. */
export const withNext = (request: FastifyRequest): string => {
  const next = nextIn(request)
  return next === '' ? '' : `?${new URLSearchParams({ next })}`
}

/** The sentence that describes a failure. */
export const failureNotice = ({ message, fields }: Failure): Html =>
  formNotice(fields.length > 0 ? fields.map((field) => field.message).join(' ') : message, 'bad')

/** A time of zeros stands for none. */
const isTime = (timestamp: string): boolean => !timestamp.startsWith('0000')

/** The times of a record, each on a line of its own: `Since 2030-05-01 09:00`. Those without a value are left out. */
export const timesOf = (times: Readonly<Record<string, string>>): Html =>
  html`<p class="hint times">${Object.entries(times)
    .filter(([, timestamp]) => isTime(timestamp))
    .map(([name, timestamp]) => html`<span>${name} ${toMinute(timestamp)}</span> `)}</p>`

export const toMinute = (timestamp: string): string => timestamp.slice(0, 'YYYY-MM-DD HH:MM'.length)
