import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Checks that a port is free by listening on it briefly. Another program may still take it afterwards.
 * @param port 0 picks a free one
 * @returns the port
 * @throws the error of `listen`
 */
export async function freePort({ host, port }: { host: string; port: number }): Promise<number> {
  const server = createServer().listen({ host, port })
  await once(server, 'listening')
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : port
}
