import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Finds out whether a port is free, by listening there for a moment. Another program may take it right after.
 * @param port 0 finds a free one
 * @throws what listening fails with
 */
export async function freePort({ host, port }: { host: string; port: number }): Promise<number> {
  const server = createServer().listen({ host, port })
  await once(server, 'listening')
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : port
}
