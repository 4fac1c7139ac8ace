import type { Socket } from 'node:net'
import { hasCode } from '../core/error-code.ts'
import type { Pipelining } from './pipelining.ts'

/**
 * Bytes that are not HTTP never become a request; what can be said to them is a status line, and then the connection
 * ends (RFC 9112, 2.2). What came before them is answered first.
 */
export function sendMalformed(error: Error, socket: Socket, pipelining: Pipelining): void {
  const status = statusOf(error)
  // A client that is gone hears nothing.
  if (status === undefined || !socket.writable) {
    socket.destroy(error)
    return
  }
  pipelining.afterLast(socket, (toPart) => {
    // A request whose own body is no HTTP may be answered already, and nothing may be said in the middle of that.
    if (socket.writable && !toPart?.headersSent)
      socket.write(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`)
    socket.destroySoon()
  })
}

/** @returns undefined for an error that is not one of what was sent */
function statusOf(error: Error): string | undefined {
  if (hasCode(error, 'HPE_HEADER_OVERFLOW')) return '431 Request Header Fields Too Large'
  if (hasCode(error, 'ERR_HTTP_REQUEST_TIMEOUT')) return '408 Request Timeout'
  return 'code' in error && String(error.code).startsWith('HPE_') ? '400 Bad Request' : undefined
}
