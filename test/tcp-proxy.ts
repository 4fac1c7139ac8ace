import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Faults of a server or network:
 * - `refuse`: connections are refused;
 * - `black hole`: connections stay open, but transfer nothing;
 * - `reset`: connections are reset in the middle of a request;
 * - `reset once`: the next such connection is, and ends the fault;
 * - `slow`: a few hundred bytes of a request are transferred per second;
 * - `500`: every request gets this status;
 * - `truncate`: connections end in the middle of a request;
 * - `damage`: a byte of each request is changed;
 * - `lose responses`: requests arrive, but their responses do not;
 * - `truncate responses`: requests arrive, and connections end in the middle of the response;
 * - `late responses`: responses are delayed by some seconds.
 */
export type ProxyFault =
  | 'refuse'
  | 'black hole'
  | 'reset'
  | 'reset once'
  | 'slow'
  | '500'
  | 'truncate'
  | 'damage'
  | 'lose responses'
  | 'truncate responses'
  | 'late responses'

/** A proxy for a server on this machine that injects faults. */
export interface TcpProxy extends AsyncDisposable {
  url: string
  port: number
  /** Also affects open connections. Undefined ends the fault. */
  setFault(fault: ProxyFault | undefined): Promise<void>
  hasFault(): boolean
  /** Sends new connections to the server at this port. Open ones stay where they are. */
  redirectTo(port: number): void
  /** The number of connections so far, or since the last `redirectTo`. */
  connections(): number
  /** Ends all open connections. */
  cut(): void
}

/** Bytes of a request before the fault, which is then in its body. */
const requestBytes = 100_000
/** Bytes of a truncated response. */
const responseBytes = 60
const lateMs = 2_500

/** @param port of 127.0.0.1, where the server is */
export async function startTcpProxy(port: number): Promise<TcpProxy> {
  let fault: ProxyFault | undefined
  let to = port
  let connections = 0
  const sockets = new Set<Socket>()
  const track = (socket: Socket) => {
    sockets.add(socket)
    // Errors are passed on to the other side as the end of its connection.
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    return socket
  }

  const server = createServer({ allowHalfOpen: true }, (client) => {
    track(client)
    connections++
    const upstream = track(connect({ host: '127.0.0.1', port: to, allowHalfOpen: true }))
    const end = () => {
      client.destroySoon()
      upstream.destroySoon()
    }
    let refused = false
    client.on('close', end)
    upstream.on('close', end)
    void pass(client, upstream, (passed) => {
      if ((fault === 'reset' || fault === 'reset once') && passed > requestBytes) {
        if (fault === 'reset once') fault = undefined
        client.resetAndDestroy()
        return 'cut'
      }
      if (fault === '500') {
        if (!refused) client.end('HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\nconnection: close\r\n\r\n')
        refused = true
        return 'swallow'
      }
      if (fault === 'truncate' && passed > requestBytes) return 'cut'
      if (fault === 'damage' && passed > requestBytes) return 'damage'
      return fault === 'black hole' || fault === 'slow' ? fault : 'pass'
    }).then(end, end)
    void pass(upstream, client, (passed) => {
      if (fault === 'lose responses') return 'black hole'
      if (fault === 'truncate responses') return passed > responseBytes ? 'cut' : 'pass'
      return fault === 'black hole' || fault === 'late responses' ? fault : 'pass'
    }).then(end, end)
  })

  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  const close = async () => {
    cut()
    if (!server.listening) return
    server.close()
    await once(server, 'close')
  }

  await listen(0)
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const { port: here } = address
  return {
    url: `http://127.0.0.1:${here}`,
    port: here,
    hasFault: () => fault !== undefined,
    redirectTo: (next) => {
      to = next
      connections = 0
    },
    connections: () => connections,
    cut,
    async setFault(next) {
      fault = next
      if (next === 'refuse') await close()
      else if (!server.listening) await listen(here)
    },
    [Symbol.asyncDispose]: close,
  }
}

/** Forwards bytes until the end. @param decide called before each chunk, with the number of bytes up to its end */
async function pass(
  from: Socket,
  to: Socket,
  decide: (passed: number) => 'pass' | 'cut' | 'damage' | 'swallow' | 'black hole' | 'slow' | 'late responses',
): Promise<void> {
  let passed = 0
  for await (const chunk of from.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    passed += chunk.length
    switch (decide(passed)) {
      case 'cut':
        return
      case 'swallow':
        break
      case 'black hole':
        // Until the other side closes the connection.
        await once(from, 'close')
        return
      case 'slow':
        for (let at = 0; at < chunk.length && !to.destroyed; at += 100) {
          to.write(chunk.subarray(at, at + 100))
          await sleep(200)
        }
        break
      case 'damage':
        chunk[chunk.length >> 1] = ~(chunk[chunk.length >> 1] ?? 0)
        to.write(chunk)
        break
      case 'late responses':
        await sleep(lateMs)
        to.write(chunk)
        break
      case 'pass':
        if (!to.write(chunk)) await Promise.race([once(to, 'drain'), once(to, 'close')])
    }
  }
}
