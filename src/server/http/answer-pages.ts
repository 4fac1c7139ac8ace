import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { responseCodes } from '../../contract/envelope.ts'
import type { Context } from '../context.ts'
import type { Answered } from '../ops/answered.ts'
import type { Page } from '../pages/page.ts'
import type { Pages, Wanted } from '../pages/pages.ts'
import type { Known } from './known.ts'
import { noteOf } from './note.ts'
import { pageKey } from './page-key.ts'
import { plainHead } from './plain-head.ts'
import type { Unsent } from './unsent.ts'
import { whenSent } from './when-sent.ts'

/** A body up to here goes out with its head in one piece, which is cheaper than two; a longer one is sent from where it is. */
const smallBytes = 8 * 1024

interface Options {
  pages: Pages
  known: Known<Wanted>
  unsent: Unsent
  /** While it closes, answers have to say so, which is not known here. */
  isListening: () => boolean
  onAnswered: (answered: Answered) => void
}

/**
 * Makes what answers a plain request for a page that is known, before anything is routed or parsed: then an answer
 * costs little more than its socket and, where the page is not kept or not fresh, what it is made of. Every other
 * request goes to `otherwise`, which knows all the rules, and by which pages come to be known. The answers of both are
 * alike (`answer-pages.test.ts`).
 */
export function pageAnswerer(
  { clock, timestamp }: Context,
  { pages, known, unsent, isListening, onAnswered }: Options,
) {
  const print = oncePerSecond(timestamp)

  const send = (page: Page, response: ServerResponse): void => {
    const { id: requestId, arrived } = noteOf(response.req)
    const body = page.at(print(clock()))
    response.writeHead(200, plainHead(requestId, body.length))
    if (body.length <= smallBytes) response.end(body.toString('latin1'), 'latin1')
    else response.end(body)
    const isSent = whenSent(response, () =>
      onAnswered({
        requestId,
        operation: page.name,
        method: 'GET',
        responseCode: responseCodes.success,
        status: 200,
        ms: performance.now() - arrived,
      }),
    )
    if (isSent) return
    page.lend()
    unsent.hold(response, body, body.length)
  }

  return (request: IncomingMessage, response: ServerResponse, otherwise: RequestListener): void => {
    const host = isListening() ? plainHost(request) : undefined
    const key = host && pageKey(host, request.url ?? '')
    const wanted = key ? known.get(key) : undefined
    if (!wanted) {
      otherwise(request, response)
      return
    }
    const note = noteOf(request)
    // Whoever closes answers for us when its patience has run out.
    pages.get(wanted).then(
      (page) => {
        if (!response.headersSent) send(page, response)
      },
      // Whatever is wrong, as a record that is gone, is said as it always is.
      (error) => {
        if (response.headersSent) return
        note.refusal = error
        otherwise(request, response)
      },
    )
  }
}

/** The one Host of a GET of HTTP/1.1 without a body and without anything else that asks for more than the page. */
function plainHost({ method, httpVersion, rawHeaders }: IncomingMessage): string | undefined {
  if (method !== 'GET' || httpVersion !== '1.1') return undefined
  let host: string | undefined
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    switch (name.length) {
      case 4:
        if (name.toLowerCase() !== 'host') break
        if (host !== undefined) return undefined
        host = rawHeaders[at + 1]
        break
      case 6:
        if (name.toLowerCase() === 'expect') return undefined
        break
      case 14:
        if (name.toLowerCase() === 'content-length') return undefined
        break
      case 17:
        if (name.toLowerCase() === 'transfer-encoding') return undefined
        break
    }
  }
  return host
}

/** Printing a moment costs as much as the rest of the answer, and within a second it is the same. */
function oncePerSecond(timestamp: Context['timestamp']): Context['timestamp'] {
  let second = Number.NaN
  let printed = ''
  return (ms) => {
    const now = Math.floor(ms / 1000)
    if (now !== second) printed = timestamp(ms)
    second = now
    return printed
  }
}
