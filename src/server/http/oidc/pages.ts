import type { FastifyReply } from 'fastify'
import { html } from '../pages/html.ts'
import { type Pages, sendPage } from '../pages/page.ts'

/** The addresses of these pages, and those to which they lead, contain codes and what belongs to a login. */
const headers = { 'referrer-policy': 'no-referrer' }

/** Sends a page from which the browser goes on by itself, or its user does. */
export const sendContinuePage = (reply: FastifyReply, pages: Pages, url: string): FastifyReply =>
  sendPage(reply, pages, {
    title: 'Sign in',
    headers: { ...headers, refresh: `0; url=${url}` },
    content: html`<p><a href="${url}">Continue</a></p>`,
  })

export const sendErrorPage = (reply: FastifyReply, pages: Pages, { message }: Error): FastifyReply =>
  sendPage(reply, pages, {
    title: 'That did not work',
    headers,
    content: html`<p class="alert" role="alert">${message}</p>
<p><a href="${pages.base}/sign-in">Sign in</a></p>`,
  })
