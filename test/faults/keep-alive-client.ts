import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '../../src/client/client.ts'
import type { Target } from './server-process.ts'

/** The outcomes of the requests of some clients. */
export interface Tally {
  completed: number
  /** Not accepted by the server, which no longer listened. */
  refused: number
  /** Sent at least partly on an accepted connection, without a complete response. */
  lost: string[]
  /**
   * The time (`performance.now()`) after which a stopping server may close idle connections. On a busy machine, a
   * client may send its next request after that.
   */
  lingerEnd?: number
}

interface KeepAliveOptions {
  /** The duration of sending a request body. */
  bodyMs: () => number
}

/** A client with one connection that it reuses, as phones and proxies do. */
export function createKeepAliveClient(url: string, tally: Tally, { bodyMs }: KeepAliveOptions): Target & Disposable {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const send: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    const body = Buffer.from(await request.arrayBuffer())
    const sentAt = performance.now()
    try {
      const response = await sendInPieces(agent, request, body, bodyMs())
      tally.completed++
      return response
    } catch (error) {
      // Also if the server stopped listening while the connection was in the kernel's accept queue.
      if (error instanceof Error && 'syscall' in error && error.syscall === 'connect') tally.refused++
      else if (sentAt > (tally.lingerEnd ?? Number.POSITIVE_INFINITY)) tally.refused++
      else tally.lost.push(`${request.method} ${new URL(request.url).pathname}: ${error}`)
      throw error
    }
  }
  return { url, client: createClient(url, { fetch: send }), [Symbol.dispose]: () => agent.destroy() }
}

/** The number of pieces of a body that is sent slowly. */
const pieces = 5

async function sendInPieces(agent: Agent, { url, method, headers }: Request, body: Buffer, bodyMs: number) {
  const request = httpRequest(url, {
    agent,
    method,
    headers: { ...Object.fromEntries(headers), ...(body.length > 0 && { 'content-length': body.length }) },
  })
  const received = new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve)
    request.once('error', reject)
  })
  received.catch(() => {})
  const size = bodyMs === 0 ? body.length : Math.ceil(body.length / pieces)
  for (let at = 0; at < body.length; at += size) {
    request.write(body.subarray(at, at + size))
    if (bodyMs > 0) await sleep(bodyMs / pieces)
  }
  request.end()
  const response = await received
  const chunks = await response.toArray()
  // `toArray` fails if the connection ends before the response does.
  return new Response(Buffer.concat(chunks), { headers: Object.entries(response.headersDistinct).flatMap(pairs) })
}

const pairs = ([name, values = []]: [string, string[] | undefined]) =>
  values.map((value): [string, string] => [name, value])
