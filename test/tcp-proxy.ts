import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * How a server may be away:
 * - `refuse`: nobody listens;
 * - `black hole`: connections stand, and nothing comes through any more;
 * - `reset`: cut hard in the middle of what is sent to it;
 * - `slow`: takes some hundred bytes a second;
 * - `500`: answers every request with that;
 * - `truncate`: the end of what is sent never gets there, and the connection ends;
 * - `damage`: a bit of what is sent to it changes on the way;
 * - `lose answers`: does what it is told, and the answer never comes;
 * - `truncate answers`: does what it is told, and the answer ends in its middle;
 * - `late answers`: does what it is told, and each answer comes some seconds later.
 */
export type Trouble =
  | 'refuse'
  | 'black hole'
  | 'reset'
  | 'slow'
  | '500'
  | 'truncate'
  | 'damage'
  | 'lose answers'
  | 'truncate answers'
  | 'late answers'

/** Stands between a client and a server on this machine, and makes trouble when told to. */
export interface TcpProxy extends AsyncDisposable {
  url: string
  port: number
  /** Takes hold of connections that stand already, too. Undefined: everything passes again. */
  setTrouble(trouble: Trouble | undefined): Promise<void>
  /** From now on new connections lead to another server, at this port. Those that stand stay where they are. */
  leadTo(port: number): void
  /** Ends all connections that stand. */
  cut(): void
}

/** Bytes of a connection that pass before it is cut: more than a request's headers. */
const passBeforeCut = 100_000
const passOfAnswers = 60
const lateMs = 2_500

/** @param port of 127.0.0.1, where the server is */
export async function tcpProxy(port: number): Promise<TcpProxy> {
  let trouble: Trouble | undefined
  let to = port
  const sockets = new Set<Socket>()
  const known = (socket: Socket) => {
    sockets.add(socket)
    // How it ends is what the other side gets to see.
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    return socket
  }

  const server = createServer({ allowHalfOpen: true }, (client) => {
    known(client)
    const upstream = known(connect({ host: '127.0.0.1', port: to, allowHalfOpen: true }))
    const end = () => {
      client.destroySoon()
      upstream.destroySoon()
    }
    let refused = false
    client.on('close', end)
    upstream.on('close', end)
    void pass(client, upstream, (passed) => {
      if (trouble === 'reset' && passed > passBeforeCut) {
        client.resetAndDestroy()
        return 'cut'
      }
      if (trouble === '500') {
        if (!refused) client.end('HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\nconnection: close\r\n\r\n')
        refused = true
        return 'swallow'
      }
      if (trouble === 'truncate' && passed > passBeforeCut) return 'cut'
      if (trouble === 'damage' && passed > passBeforeCut) return 'damage'
      return trouble === 'black hole' || trouble === 'slow' ? trouble : 'pass'
    }).then(end, end)
    void pass(upstream, client, (passed) => {
      if (trouble === 'lose answers') return 'black hole'
      if (trouble === 'truncate answers') return passed > passOfAnswers ? 'cut' : 'pass'
      return trouble === 'black hole' || trouble === 'late answers' ? trouble : 'pass'
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
    leadTo: (next) => {
      to = next
    },
    cut,
    async setTrouble(next) {
      trouble = next
      if (next === 'refuse') await close()
      else if (!server.listening) await listen(here)
    },
    [Symbol.asyncDispose]: close,
  }
}

/** Carries bytes over until the end or a cut. @param decide asked before each piece, with the bytes up to its end */
async function pass(
  from: Socket,
  to: Socket,
  decide: (passed: number) => 'pass' | 'cut' | 'damage' | 'swallow' | 'black hole' | 'slow' | 'late answers',
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
        // Until the connection is closed from outside.
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
      case 'late answers':
        await sleep(lateMs)
        to.write(chunk)
        break
      case 'pass':
        if (!to.write(chunk)) await Promise.race([once(to, 'drain'), once(to, 'close')])
    }
  }
}
