import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '../../src/client/client.ts'
import type { Target } from './server-process.ts'

/** What became of the requests of some clients. */
export interface Tally {
  completed: number
  /** Never reached a server: nobody listened any more. */
  refused: number
  /** Were being sent, or sent, on a connection that was accepted, and got no complete answer. */
  lost: string[]
  /**
   * When the server no longer has to wait for a next request on a connection that is kept (`performance.now()`). On a
   * busy machine a client may get to send one after that, and finds its connection closed.
   */
  lingerEnd?: number
}

interface KeepAliveOptions {
  /** How long the body of a request takes to be sent. */
  bodyMs: () => number
}

/** A client with one connection, which it keeps for its next request, as phones and proxies do. */
export function keepAliveClient(url: string, tally: Tally, { bodyMs }: KeepAliveOptions): Target & Disposable {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const send: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    const body = Buffer.from(await request.arrayBuffer())
    const sentAt = performance.now()
    try {
      const answer = await exchange(agent, request, body, bodyMs())
      tally.completed++
      return answer
    } catch (error) {
      // Also when the server stopped listening just before it took the connection over from the kernel's queue.
      if (error instanceof Error && 'syscall' in error && error.syscall === 'connect') tally.refused++
      else if (sentAt > (tally.lingerEnd ?? Number.POSITIVE_INFINITY)) tally.refused++
      else tally.lost.push(`${request.method} ${new URL(request.url).pathname}: ${error}`)
      throw error
    }
  }
  return { url, client: createClient(url, { fetch: send }), [Symbol.dispose]: () => agent.destroy() }
}

/** In how many pieces a body is sent that takes its time. */
const pieces = 5

async function exchange(agent: Agent, { url, method, headers }: Request, body: Buffer, bodyMs: number) {
  const request = httpRequest(url, {
    agent,
    method,
    headers: { ...Object.fromEntries(headers), ...(body.length > 0 && { 'content-length': body.length }) },
  })
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve)
    request.once('error', reject)
  })
  answer.catch(() => {})
  const size = bodyMs === 0 ? body.length : Math.ceil(body.length / pieces)
  for (let at = 0; at < body.length; at += size) {
    request.write(body.subarray(at, at + size))
    if (bodyMs > 0) await sleep(bodyMs / pieces)
  }
  request.end()
  const response = await answer
  const chunks = await response.toArray()
  // `toArray` fails when the connection ends before the answer does.
  return new Response(Buffer.concat(chunks), { headers: Object.entries(response.headersDistinct).flatMap(pairs) })
}

const pairs = ([name, values = []]: [string, string[] | undefined]) =>
  values.map((value): [string, string] => [name, value])
