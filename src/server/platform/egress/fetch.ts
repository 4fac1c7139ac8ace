import type { LookupAddress } from 'node:dns'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { describeError, EgressError } from './egress-error.ts'
import { type Lookup, pinned, resolveHost, systemLookup } from './resolve.ts'

export interface FetchOptions {
  /**
   * Origins that the operator has set, such as `https://login.example`. These may have private addresses, and be http
   * on loopback. Any other URL comes from a client, an organizer or a document of another server.
   */
  origins: readonly string[]
  /** Milliseconds for everything: name, connection, request and response. */
  maxMs?: number
  /** Of the body of the response. */
  maxBytes?: number
  lookup?: Lookup
}

/** As `fetch`, and as openid-client's `CustomFetch`, which passes an undefined body. @throws EgressError */
export type Fetch = (url: string, init?: FetchInit) => Promise<Response>

type FetchInit = Omit<RequestInit, 'body'> & { body?: RequestInit['body'] | undefined }

/**
 * Creates a `fetch` for requests of the server to others. A name is resolved once: the addresses that were checked are
 * those that are connected to, so a name that resolves to something else a moment later (DNS rebinding) gains nothing.
 * Redirects are errors. Each request has a connection of its own; proxies of the environment are not used.
 */
export function createFetch({
  origins,
  maxMs = 10_000,
  maxBytes = 512 * 1024,
  lookup = systemLookup,
}: FetchOptions): Fetch {
  const trusted = new Set(origins.map((origin) => new URL(origin).origin))
  return async (input, { body: given = null, ...init } = {}) => {
    const url = URL.parse(input)
    // `Request` would quote the URL.
    if (url === null || `${url.username}${url.password}` !== '')
      throw new EgressError('Not a URL, or one with a password')
    const request = new Request(url, { ...init, body: given })
    const timeout = AbortSignal.timeout(maxMs)
    const signal = AbortSignal.any([request.signal, timeout])
    try {
      const body = Buffer.from(await request.arrayBuffer())
      const addresses = await orAbort(resolveHost(url, trusted.has(url.origin), lookup), signal)
      return await readResponse(await send(request, body, addresses, signal), maxBytes)
    } catch (error) {
      throw new EgressError(`${url.host} ${timeout.aborted ? `took over ${maxMs} ms` : reasonOf(error)}`, {
        cause: error,
      })
    }
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof EgressError ? error.message : `cannot be reached: ${describeError(error)}`

/**
 * The result, unless the signal is aborted before: a name cannot be resolved any faster, but need not be waited for.
 */
function orAbort<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort)
  return Promise.race([result, promise]).finally(() => signal.removeEventListener('abort', abort))
}

function send(
  { url, method, headers }: Request,
  body: Buffer,
  addresses: readonly LookupAddress[],
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const open = url.startsWith('https:') ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    open(url, {
      method,
      // A compressed body could be far larger than its bytes.
      headers: { ...Object.fromEntries(headers), 'accept-encoding': 'identity' },
      agent: false,
      lookup: pinned(addresses),
      signal,
    })
      .on('response', resolve)
      .on('error', reject)
      .end(body)
  })
}

async function readResponse(message: IncomingMessage, maxBytes: number): Promise<Response> {
  const { statusCode: status = 0, headers, headersDistinct } = message
  const chunks: Buffer[] = []
  let size = 0
  try {
    if (status >= 300 && status < 400 && headers.location !== undefined)
      throw new EgressError(`redirects (${status}), which is not followed`)
    if (headers['content-encoding'] !== undefined) throw new EgressError('sends a compressed response')
    for await (const chunk of message as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > maxBytes) throw new EgressError(`sends more than ${maxBytes} bytes`)
      chunks.push(chunk)
    }
  } finally {
    message.destroy()
  }
  return new Response(size === 0 ? null : Buffer.concat(chunks), {
    status,
    headers: Object.entries(headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    ),
  })
}
