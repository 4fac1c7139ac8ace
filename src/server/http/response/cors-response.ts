import { type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Config } from '../../config/config.ts'

/**
 * Response headers that a page may read besides those that every page may
 * (https://fetch.spec.whatwg.org/#http-cors-protocol).
 */
const exposedHeaders = [
  'Request-Id',
  'Retry-After',
  'Idempotency-Replayed',
  'Allow',
  'ETag',
  'Accept-Ranges',
  'Content-Range',
  'Content-Disposition',
]

/** Request headers that the operations read, and that need permission. */
const allowedHeaders = ['Content-Type', 'Idempotency-Key', 'If-None-Match', 'If-Range', 'Range']

/** How long a browser may remember a permission, in seconds. Chromium takes no more. */
const maxAge = '7200'

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[]

/**
 * Creates the class of all responses of a server that allows these origins. It adds the CORS headers as a head is
 * written, which covers every response; cached bytes stay free of them. A server that allows none uses Node's own
 * class.
 *
 * A preflight needs no route: like any other OPTIONS, it gets 4050 with the status 200 and `Allow`, and browsers read
 * only its status and headers.
 */
export const createCorsResponse = ({ corsOrigins, access }: Pick<Config, 'corsOrigins' | 'access'>) => {
  const withKeys = access !== 'open'
  const exposed = [...exposedHeaders, ...(withKeys ? ['WWW-Authenticate'] : [])].join(', ')
  const allowed = [...(withKeys ? ['Authorization'] : []), ...allowedHeaders].join(', ')
  return class CorsResponse<Request extends IncomingMessage> extends ServerResponse<Request> {
    override writeHead(status: number, reasonOrHeaders?: string | Headers, lastHeaders?: Headers): this {
      if (typeof reasonOrHeaders === 'string') this.statusMessage = reasonOrHeaders
      this.#setHeaders(typeof reasonOrHeaders === 'string' ? lastHeaders : reasonOrHeaders)
      const vary = this.getHeader('vary')
      this.setHeader('vary', vary === undefined ? 'Origin' : `${vary}, Origin`)
      const { method, headers: requestHeaders } = this.req
      const { origin } = requestHeaders
      if (origin !== undefined && corsOrigins.has(origin)) {
        this.setHeader('access-control-allow-origin', origin)
        this.setHeader('access-control-expose-headers', exposed)
        if (method === 'OPTIONS') this.#permit()
      }
      return super.writeHead(status)
    }

    /** As Node's own `writeHead` does: replaces the headers set before. A list may name one several times. */
    #setHeaders(headers: Headers = {}): void {
      if (!Array.isArray(headers)) {
        for (const [name, value] of Object.entries(headers)) if (value !== undefined) this.setHeader(name, value)
        return
      }
      const pairs = pairsOf(headers)
      for (const [name] of pairs) this.removeHeader(name)
      for (const [name, value] of pairs) this.appendHeader(name, value)
    }

    #permit(): void {
      const methods = this.getHeader('allow')
      if (methods !== undefined) this.setHeader('access-control-allow-methods', methods)
      this.setHeader('access-control-allow-headers', allowed)
      this.setHeader('access-control-max-age', maxAge)
    }
  }
}

/** @param list names and values, alternating */
const pairsOf = (list: OutgoingHttpHeader[]): [name: string, value: string | string[]][] =>
  list.flatMap((name, index) => {
    const value = list[index + 1]
    if (index % 2 === 1 || value === undefined) return []
    return [[String(name), typeof value === 'number' ? String(value) : value]]
  })
