import type { IncomingMessage } from 'node:http'
import { Failure } from '../../core/failure.ts'
import { JoinedPieces } from './joined-pieces.ts'
import { piecesOf } from './piece-budget.ts'
import { SocketValve } from './socket-valve.ts'

/** So much may wait to be taken before the connection is not read from any more: a disk may be slower than a network. */
const maxWaiting = 128 * 1024

/**
 * The body of a request in chunks of 16 KiB or more, only the last one may be smaller, as fast as they are taken.
 * @param signal ends it with its reason
 * @throws Failure TOO_LARGE beyond `maxBytes`, or for more pieces than the body may come in; BAD_REQUEST when the client
 *   goes away
 */
export async function* bodyChunks(
  request: IncomingMessage,
  maxBytes: number,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void> {
  const pieces = piecesOf(request)
  const valve = new SocketValve(request.socket)
  const joined = new JoinedPieces()
  let received = 0
  let taken = 0
  let failure: unknown
  let isFailed = false
  let isEnded = false
  let wake = () => {}

  const fail = (reason: unknown) => {
    if (isFailed) return
    isFailed = true
    failure = reason
    // What is on its way would cost as much to receive as what has arrived.
    if (pieces.isSpent) valve.shut()
    request.off('data', take)
    wake()
  }
  const take = (piece: Buffer) => {
    received += piece.length
    pieces.take(piece.length)
    if (received > maxBytes || pieces.isSpent) return fail(new Failure('TOO_LARGE'))
    joined.add(piece)
    if (joined.chunks.length === 0) return
    if (received - taken > maxWaiting) valve.shut()
    wake()
  }
  const end = () => {
    isEnded = true
    joined.flush()
    wake()
  }
  const lose = (cause: unknown) => fail(new Failure('BAD_REQUEST', { cause }))
  const close = () => lose(undefined)
  const abort = () => fail(signal.reason)

  const { socket } = request
  request.on('data', take).on('end', end).on('error', lose)
  // Once its response is sent, as at shutdown, a request does not fail with its connection.
  socket.once('close', close)
  signal.addEventListener('abort', abort)
  if (request.destroyed || socket.destroyed) close()
  try {
    while (true) {
      if (isFailed) throw failure
      const chunk = joined.chunks.shift()
      if (chunk) {
        taken += chunk.length
        yield chunk
        continue
      }
      if (isEnded) return
      valve.open()
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  } finally {
    request.off('data', take).off('end', end).off('error', lose)
    socket.off('close', close)
    signal.removeEventListener('abort', abort)
    if (!pieces.isSpent) valve.open()
  }
}
