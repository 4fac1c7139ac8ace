import { createServer, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { takeSecret } from '../auth/secret-in-path.ts'
import type { Config } from '../config/config.ts'
import { hasCode } from '../core/errors.ts'
import { headersTimeoutMs, type Pipelining } from './pipelining.ts'
import { createCorsResponse } from './response/cors-response.ts'
import { disconnectSlowReaders } from './response/slow-readers.ts'

/**
 * How long an idle connection stays open: longer than the idle timeout of proxies, so that the proxy closes it first.
 */
const keepAliveTimeoutMs = 72_000

/** Serves `/k/{secret}/api` as `/api`, for clients that send no header. Nothing else is below `/k`. */
const serveSecretUrls =
  (route: RequestListener): RequestListener =>
  (request, response) => {
    takeSecret(request)
    route(request, response)
  }

/** Creates the server of an app, not yet listening. @param routeAny handles requests to any URL */
export function createHttpServer(config: Config, pipelining: Pipelining, routeAny: RequestListener): Server {
  const route = config.access === 'open' ? routeAny : serveSecretUrls(routeAny)
  const server: Server = createServer(
    {
      requireHostHeader: false,
      // Otherwise Node drops all but the first `Host` or `Authorization`; two are an error, and joined they are malformed.
      joinDuplicateHeaders: true,
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: 2_000,
      shouldUpgradeCallback: () => closeAfterUpgrade(server),
      ...(config.corsOrigins.size > 0 && { ServerResponse: createCorsResponse(config) }),
    },
    pipelining.oneByOne(route),
  )
  server.keepAliveTimeout = keepAliveTimeoutMs
  const idleCheck = setInterval(() => pipelining.closeIdle(), keepAliveTimeoutMs).unref()
  server.once('close', () => clearInterval(idleCheck))
  // Without a listener, Node closes the connection before the responses to earlier requests.
  server.on('connect', (_request, socket: Socket) => pipelining.afterLastResponse(socket, () => socket.destroySoon()))
  // Time limits on bodies are enforced by `http/request/body.ts`; a large upload over a slow line may take any time.
  server.requestTimeout = 0
  disconnectSlowReaders(server)
  return server
}

/**
 * Hands requests with an `Expect` to their routes. By default, Node responds to an unknown one itself, without an
 * envelope, and sends `100 Continue` before any header is checked (RFC 9110, 10.1.1).
 */
export function routeExpectations(server: Server): void {
  for (const event of ['checkExpectation', 'checkContinue'])
    server.on(event, (request, response) => server.emit('request', request, response))
}

/**
 * Responds to bytes that are not HTTP with a bare status line, and closes the connection (RFC 9112, 2.2). Requests that
 * arrived before them are responded to first.
 */
export function sendMalformed(error: Error, socket: Socket, pipelining: Pipelining): void {
  const status = statusOf(error)
  // The client has disconnected, or the error is not about its bytes.
  if (status === undefined || !socket.writable) {
    socket.destroy(error)
    return
  }
  const reject = () =>
    pipelining.afterLastResponse(socket, (incomplete) => {
      // A request whose own body is malformed may already have a response, which must not be interrupted.
      if (socket.writable && !incomplete?.headersSent)
        socket.write(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`)
      socket.destroySoon()
    })
  if (status === requestTimeout) pipelining.ifHeadIsLate(socket, reject)
  else reject()
}

const requestTimeout = '408 Request Timeout'

/** @returns undefined for an error that is not about the bytes received */
function statusOf(error: Error): string | undefined {
  if (hasCode(error, 'HPE_HEADER_OVERFLOW')) return '431 Request Header Fields Too Large'
  if (hasCode(error, 'ERR_HTTP_REQUEST_TIMEOUT')) return requestTimeout
  return 'code' in error && String(error.code).startsWith('HPE_') ? '400 Bad Request' : undefined
}

/**
 * Handles `Connection: Upgrade` as an ordinary request: no other protocol is supported. But Node discards the bytes
 * behind it in the same packet, and would parse the bytes that follow them as a request, from the middle of one. So the
 * response closes the connection, and requests sent behind it are not handled (RFC 9112, 9.6).
 * @returns whether to upgrade
 */
function closeAfterUpgrade(server: Server): boolean {
  // Node emits this very request before it parses any further.
  server.prependOnceListener('request', (_request, response) => {
    response.shouldKeepAlive = false
  })
  return false
}
