import type { IncomingMessage } from 'node:http'
import type { Config } from '../../config.ts'
import { Failure } from '../../core/failure.ts'
import { isForeign } from './foreign-host.ts'

/** A host name, IPv4 address or bracketed IPv6 address, with or without a port (RFC 9110, 7.2). */
const host = /^([A-Za-z0-9](?:[A-Za-z0-9._-]{0,251}[A-Za-z0-9.])?|\[[0-9A-Fa-f:.]{2,45}\])(?::(\d{1,5}))?$/

/**
 * The address that a client used, for the absolute links in its answer; `PUBLIC_URL` wins over it.
 * @throws Failure BAD_REQUEST for no Host, several, or one that is not a host (RFC 9112, 3.2); UNKNOWN_HOST
 */
export function baseUrlOf({ headers, httpVersion, rawHeaders, socket }: IncomingMessage, config: Config): string {
  const given = headers.host
  if (given === undefined && httpVersion === '1.0' && config.publicUrl) return config.publicUrl
  const [, name, digits = '80'] = host.exec(given ?? '') ?? []
  const port = Number(digits)
  if (name === undefined || port > 65_535 || countOfHosts(rawHeaders) !== 1) throw new Failure('BAD_REQUEST')
  if (isForeign({ name, port, localPort: socket.localPort }, config)) throw new Failure('UNKNOWN_HOST')
  return config.publicUrl ?? `http://${given}`
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
