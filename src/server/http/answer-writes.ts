import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import type { OperationName } from '../../contract/index.ts'
import type { Answered } from '../ops/answered.ts'
import type { Known } from './known.ts'
import type { Asked } from './mounted.ts'
import { noteOf } from './note.ts'
import { plainHead } from './plain-head.ts'
import { dropUnreadBody } from './unread-body.ts'
import type { Unsent } from './unsent.ts'
import { whenSent } from './when-sent.ts'
import type { DoWrite, Written } from './writes.ts'

/** What is written at an address. */
export interface KnownWrite {
  name: OperationName
  write: DoWrite
  /** The parameters in the address. */
  params: Asked['params']
}

/** Longer ones are not worth the memory. */
const longestUrl = 200

/** Tells what a request writes to from everything else; undefined where that is not to be remembered. */
export const addressOf = ({ method, url = '' }: IncomingMessage): string | undefined =>
  url.length <= longestUrl && !url.includes('?') ? `${method} ${url}` : undefined

interface Options {
  known: Known<KnownWrite>
  unsent: Unsent
  /** While it closes, what arrives has to be answered in other ways. */
  isListening: () => boolean
  onAnswered: (answered: Answered) => void
  log: FastifyBaseLogger
}

/**
 * Makes what answers a plain write at an address that has led to one, before it is routed. Routing and the stages of
 * Fastify take a tenth of a write. Every other request goes to `otherwise`, and so does one that fails: what is wrong is
 * said as it always is. The answers of both are alike (`answer-writes.test.ts`).
 */
export function writeAnswerer({ known, unsent, isListening, onAnswered, log }: Options) {
  const succeed = (request: IncomingMessage, response: ServerResponse, name: OperationName, written: Written): void => {
    const { id, arrived } = noteOf(request)
    dropUnreadBody(request)
    send(response, id, written, isListening())
    const isSent = whenSent(response, () =>
      onAnswered({
        requestId: id,
        operation: name,
        method: request.method ?? '',
        responseCode: written.responseCode,
        status: 200,
        ms: performance.now() - arrived,
      }),
    )
    if (!isSent) unsent.hold(response, response, Buffer.byteLength(written.body))
  }

  return (request: IncomingMessage, response: ServerResponse, otherwise: RequestListener): void => {
    const found = isListening() && isPlain(request) ? known.get(addressOf(request) ?? '') : undefined
    if (!found) {
      otherwise(request, response)
      return
    }
    const { name, write, params } = found
    const note = noteOf(request)
    // Whoever closes answers for us when its patience has run out.
    write({ raw: request, params, requestId: note.id }).then(
      (written) => {
        if (!response.headersSent) succeed(request, response, name, written)
      },
      (error) => {
        if (response.headersSent) {
          log.error({ reqId: note.id, err: error }, 'failed after its answer')
          return
        }
        note.refusal = error
        otherwise(request, response)
      },
    )
  }
}

/** HTTP/1.1, and nothing expected of the server. */
const isPlain = ({ httpVersion, headers }: IncomingMessage): boolean =>
  httpVersion === '1.1' && headers.expect === undefined

function send(response: ServerResponse, requestId: string, { body, replayed }: Written, isKept: boolean): void {
  const head = plainHead(requestId, Buffer.byteLength(body))
  // Where Fastify has it.
  if (replayed) head.splice(2, 0, 'idempotency-replayed', 'true')
  if (!isKept) head.push('connection', 'close')
  response.writeHead(200, head)
  response.end(body)
}
