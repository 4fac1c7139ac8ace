import { isLoopback } from '../core/loopback.ts'
import type { Config } from './config.ts'

/**
 * The base URL of the pages to sign in, and of links to them: `PUBLIC_URL`, or else this machine. It never comes from a
 * request.
 * @param port on which the server listens
 * @returns undefined if nobody can sign in with a browser there
 */
export function signInUrlOf({
  publicUrl,
  host,
  port,
}: Pick<Config, 'publicUrl' | 'host' | 'port'>): string | undefined {
  if (publicUrl !== undefined) return keepsCookies(new URL(publicUrl)) ? publicUrl : undefined
  return isLoopback(host) || listensOnAll.test(host) ? localUrlOf(port) : undefined
}

/** Without a `PUBLIC_URL`, browsers on this machine use this name: passkeys are not for IP addresses. */
export const localUrlOf = (port: number | undefined): string => `http://localhost:${port}`

const listensOnAll = /^(0\.0\.0\.0|::|\[::\])$/

/** Whether browsers store the cookie of a session, which needs TLS, except on this machine. */
export const keepsCookies = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
