import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { OperationName } from '../../contract/index.ts'
import type { Answered } from '../ops/answered.ts'
import type { Known } from './known.ts'
import type { Asked } from './mounted.ts'
import { plainHead } from './plain-head.ts'
import { requestIdOf } from './request-id.ts'
import { dropUnreadBody } from './unread-body.ts'
import type { DoWrite, Written } from './writes.ts'

/** What is written at an address. */
export interface KnownWrite {
  name: OperationName
  write: DoWrite
  /** The parameters in the address. */
  params: Asked['params']
}

/** A request that was refused before it was routed. */
interface Refusal {
  /** By `performance.now()`. */
  arrived: number
  error: unknown
}

/** Requests that are routed only for their failure to be said, which is done where all failures are. */
export type Refusals = WeakMap<IncomingMessage, Refusal>

/** Longer ones are not worth the memory. */
const longestUrl = 200

/** Tells what a request writes to from everything else; undefined where that is not to be remembered. */
export const addressOf = ({ method, url = '' }: IncomingMessage): string | undefined =>
  url.length <= longestUrl ? `${method} ${url}` : undefined

interface Options {
  known: Known<KnownWrite>
  refusals: Refusals
  /** While it closes, what arrives has to be answered in other ways. */
  isListening: () => boolean
  onAnswered: (answered: Answered) => void
}

/**
 * Makes what answers a plain write at an address that has led to one, before it is routed. Routing and the stages of
 * Fastify take a tenth of a write. Every other request goes to `otherwise`, and so does one that fails: what is wrong is
 * said as it always is. The answers of both are alike (`answer-writes.test.ts`).
 */
export function writeAnswerer({ known, refusals, isListening, onAnswered }: Options) {
  return (request: IncomingMessage, response: ServerResponse, otherwise: RequestListener): void => {
    const found = isListening() && isPlain(request) ? known.get(addressOf(request) ?? '') : undefined
    if (!found) {
      otherwise(request, response)
      return
    }
    const arrived = performance.now()
    const requestId = requestIdOf(request)
    const { name, write, params } = found
    write({ raw: request, params, requestId }).then(
      (written) => {
        // Whoever closes has run out of patience.
        if (response.headersSent) return
        dropUnreadBody(request)
        send(response, requestId, written, isListening())
        onAnswered({
          requestId,
          operation: name,
          method: request.method ?? '',
          responseCode: written.responseCode,
          status: 200,
          ms: performance.now() - arrived,
        })
      },
      (error) => {
        if (response.headersSent) return
        refusals.set(request, { arrived, error })
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
  if (replayed) head.push('idempotency-replayed', 'true')
  if (!isKept) head.push('connection', 'close')
  response.writeHead(200, head)
  response.end(body)
}
