import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/**
 * Opens a TCP connection to a host that the operator has set; its address may be any.
 * @param signal ends the connection, also once it is open
 */
export async function connectTo({ host, port }: { host: string; port: number }, signal: AbortSignal): Promise<Socket> {
  const socket = connect({ host, port, signal })
  await once(socket, 'connect')
  return socket
}
