import proxyAddress from '@fastify/proxy-addr'
import { isLoopback } from '../core/loopback.ts'
import type { Config } from './config.ts'

/** The address of a proxy on this machine. */
const ownAddress = '127.0.0.1'

/**
 * A warning if the settings show that there is a proxy which is not trusted: one on this machine, if the server listens
 * on loopback only.
 * @returns undefined if they do not show one
 */
export function describeUntrustedProxy({ host, port, publicUrl, trustedProxies }: Config): string | undefined {
  if (publicUrl === undefined) return undefined
  const url = new URL(publicUrl)
  // Without a proxy, clients connect to the port of the server itself, and without TLS.
  if (url.protocol === 'http:' && Number(url.port || 80) === port) return undefined
  const isTrusted = proxyAddress.compile([...trustedProxies])
  const isUnset = trustedProxies.length === 0
  if (!isUnset && (!isLoopback(host) || isTrusted(ownAddress, 0) || isTrusted('::1', 0))) return undefined
  return (
    `TRUSTED_PROXIES ${isUnset ? 'is not set' : `does not contain ${ownAddress}`}, so all clients of the proxy count as ` +
    `one. Set it to the address of the proxy, such as ${ownAddress}, and let it append to X-Forwarded-For.`
  )
}
