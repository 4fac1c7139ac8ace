import type { Socket } from 'node:net'
import { hasCode } from '../core/error-code.ts'
import type { Pipelining } from './pipelining.ts'

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
