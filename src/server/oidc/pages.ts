import type { FastifyReply } from 'fastify'
import type { SignInError } from './sign-in-error.ts'

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
}

/** A page that goes on to another one by itself. @param url '' for the same */
export const sendContinuePage = (reply: FastifyReply, { url }: { url: string }): FastifyReply =>
  reply
    .headers({ ...headers, refresh: url === '' ? '0' : `0; url=${url}` })
    .send(`<!doctype html><title>Summit</title><p><a href="${url}">Continue</a></p>`)

export const sendErrorPage = (reply: FastifyReply, { status, message }: SignInError): FastifyReply =>
  reply.code(status).headers(headers).send(`<!doctype html><title>Summit</title><p role="alert">${message}</p>`)
