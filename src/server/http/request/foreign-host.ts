import { type Config, isLoopback } from '../../config.ts'

/** Names that always lead to the machine itself, and addresses, which nobody can have lead elsewhere. */
const safeName = /^(?:(?:.+\.)?localhost(?:\.localdomain)?\.?|\d+(?:\.\d+){3}|\[.*\])$/i

/** A Host, and the port at which its request arrived. */
interface Arrived {
  name: string
  port: number
  localPort: number | undefined
}

/**
 * Whether a Host may be a name of somebody else's that was made to lead to this machine, for web pages there to count
 * as ours (DNS rebinding), where nothing but loopback keeps strangers away. A browser that was led here names the port
 * at which it arrives. A proxy on this machine has a port of its own, so what it passes on is fine.
 */
export function isForeign({ name, port, localPort }: Arrived, { host, publicUrl }: Config): boolean {
  if (port !== localPort || !isLoopback(host) || safeName.test(name)) return false
  return publicUrl === undefined || name.toLowerCase() !== URL.parse(publicUrl)?.hostname
}
