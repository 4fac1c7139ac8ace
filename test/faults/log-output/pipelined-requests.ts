import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

/** The longest path that the log contains, so that few requests fill it. */
const path = '/nowhere'.padEnd(25, 'x') + '/xxxxxxxxxxxxxxxxxxxxxxxx'.repeat(10)

/**
 * Sends requests to an unknown path on each of eight connections.
 * @returns the number of all requests
 * @throws Error if a response is missing
 */
export async function sendPipelinedRequests(url: string, requestsPerConnection: number): Promise<number> {
  const { hostname, port, host } = new URL(url)
  const request = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`
  const last = request.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')
  const responses = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const socket = connect(Number(port), hostname)
      socket.setTimeout(10_000, () => socket.destroy(new Error('no response for 10 s')))
      socket.write(request.repeat(requestsPerConnection - 1) + last)
      return (await text(socket)).split('HTTP/1.1 404').length - 1
    }),
  )
  const expected = responses.length * requestsPerConnection
  const received = responses.reduce((sum, count) => sum + count)
  if (received !== expected) throw new Error(`${received} of ${expected} responses`)
  return received
}
