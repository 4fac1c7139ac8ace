import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { JsonWriteName } from '../../../contract/index.ts'
import { Failure } from '../../core/failure.ts'
import { logIfLate } from '../response/failures.ts'
import { type Html, html } from './html.ts'
import { failWith, type Pages, pathOf, redirect } from './page.ts'

/** The fields of a form: texts and lists of texts, and what `readForm` makes of them. */
export type Fields = Readonly<Record<string, unknown>>

export interface Form {
  /** Its parameters are those of the operation. */
  path: string
  operation: JsonWriteName
  /** By default, fields are named like the members of the operation. */
  readForm?: (sent: Fields, request: FastifyRequest) => Fields | Promise<Fields>
  /** The path of the next page, below the base. */
  next?: string | ((request: FastifyRequest, data: unknown, sent: Fields) => string)
  /** Sends a page with the result, instead of going to the next one. */
  show?: (data: unknown, sent: Fields, reply: FastifyReply) => Promise<FastifyReply>
  /** Sends a page with the failure. @param sent empty if the form was not read */
  onFailure: (failure: Failure, reply: FastifyReply, sent: Fields) => Promise<FastifyReply>
}

/** Thrown by `readForm` for a form in which nothing was changed: nothing is written. */
export class NothingChanged extends Error {}

/** Mounts a form, which runs an operation as the API does, and then shows another page. */
export function mountForm(app: FastifyInstance, { runner, base }: Pages, form: Form): void {
  const { path, operation, readForm = (fields) => fields, next = '/', show, onFailure } = form
  const sentBy = new WeakMap<FastifyRequest, Fields>()
  const sentIn = (request: FastifyRequest): Fields => sentBy.get(request) ?? {}
  app.post(path, {
    onRequest: runner.authorize(operation),
    errorHandler: failWith((failure, reply) => onFailure(failure, reply, sentIn(reply.request))),
    handler: async (request, reply) => {
      try {
        const { cookies, responseCode, dataText } = await runner.write(operation, request, reply, (fields) => {
          assertTexts(fields)
          sentBy.set(request, fields)
          return readForm(fields, request)
        })
        request.responseCode = responseCode
        const data = JSON.parse(dataText)
        if (show) return await show(data, sentIn(request), reply)
        // Or whoever goes back on a browser that others use would see the pages of somebody who has signed out.
        if (operation === 'signOut') void reply.header('clear-site-data', '"cache"')
        return redirect(reply, base + (typeof next === 'string' ? next : next(request, data, sentIn(request))), cookies)
      } catch (error) {
        if (error instanceof NothingChanged) return redirect(reply, `${base}${pathOf(request)}?done=`)
        return logIfLate(error, request, reply)
      }
    },
  })
}

/** Fields that were sent as JSON may be objects, which no form of a page has. @throws Failure MALFORMED_FORM */
function assertTexts(fields: Fields): void {
  const isText = (value: unknown) => typeof value === 'string'
  const isForm = Object.values(fields).every((value) => (Array.isArray(value) ? value.every(isText) : isText(value)))
  if (!isForm) throw new Failure('MALFORMED_FORM')
}

/**
 * Where the page after a form begins for those who hear it, or use no pointer: focus reads it out, once, so it is no live
 * region as well. Of several on a page, the first has the focus.
 */
export const focused = html` tabindex="-1" autofocus`

/** What a page says of the form that led to it. @param more what follows the sentence, which is read out without it */
export const formNotice = (said: string | Html, tone?: 'ok' | 'warn' | 'bad', more?: Html): Html =>
  html`<div class="notice${tone !== undefined && ` ${tone}`}" role="group" aria-labelledby="form-notice"${focused}><p id="form-notice">${said}</p>
${more}</div>\n`
