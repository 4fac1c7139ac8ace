import type { IncomingMessage } from 'node:http'
import { Failure } from '../failure.ts'

/** A host name, IPv4 address or bracketed IPv6 address, with or without a port (RFC 9110, 7.2). */
const host = /^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,251}[A-Za-z0-9.])?|\[[0-9A-Fa-f:.]{2,45}\])(?::(\d{1,5}))?$/

/**
 * The address that a client used, for the absolute links in its answer.
 * @param publicUrl wins over whatever the client sent
 * @throws Failure BAD_REQUEST for no Host, several, or one that is not a host (RFC 9112, 3.2)
 */
export function baseUrlOf(request: IncomingMessage, publicUrl: string | undefined): string {
  const given = request.headers.host
  const isUsable = given !== undefined && isHost(given) && countOfHosts(request.rawHeaders) === 1
  if (!isUsable && !(given === undefined && request.httpVersion === '1.0' && publicUrl))
    throw new Failure('BAD_REQUEST')
  return publicUrl ?? `http://${given}`
}

function isHost(text: string): boolean {
  const [match, port] = host.exec(text) ?? []
  return match !== undefined && (port === undefined || Number(port) <= 65_535)
}

/** Node keeps the first of several Host headers and says nothing of the others. */
function countOfHosts(rawHeaders: readonly string[]): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') count++
  }
  return count
}
