import type { IncomingMessage } from 'node:http'
import { Failure } from '../../core/failure.ts'
import { bodyTooLarge } from '../../core/limit-failures.ts'
import { freePieces, minAverageBytes, pieceBudgetOf } from '../budgets/piece-budget.ts'
import { PieceJoiner } from './piece-joiner.ts'
import { SocketThrottle } from './socket-throttle.ts'

/** Unconsumed bytes at which the connection is paused: a disk may be slower than the network. */
const maxUnconsumedBytes = 128 * 1024

export const moreBytesThan = (maxBytes: number): Failure => bodyTooLarge(`The body may have at most ${maxBytes} bytes.`)

const tooManyPieces = (): Failure =>
  bodyTooLarge(
    `The body may arrive in at most ${freePieces} pieces; in more of them only if they have ${minAverageBytes} bytes on average.`,
  )

/**
 * Yields the body of a request in chunks of 16 KiB or more (the last may be smaller), as fast as they are consumed.
 * @param signal stops it with the signal's reason
 * @throws Failure TOO_LARGE beyond `maxBytes`, or for a body in too many small pieces; BAD_REQUEST if the client
 *   disconnects
 */
export async function* bodyChunks(
  request: IncomingMessage,
  maxBytes: number,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void> {
  const pieceBudget = pieceBudgetOf(request)
  const throttle = new SocketThrottle(request.socket)
  const joiner = new PieceJoiner()
  let received = 0
  let consumed = 0
  let failure: unknown
  let isFailed = false
  let isEnded = false
  let wake = () => {}

  const fail = (reason: unknown) => {
    if (isFailed) return
    isFailed = true
    failure = reason
    // The rest of the body would cost as much to receive as the pieces so far.
    if (pieceBudget.isExceeded) throttle.pause()
    request.off('data', onData)
    wake()
  }
  const onData = (piece: Buffer) => {
    received += piece.length
    pieceBudget.count(piece.length)
    if (pieceBudget.isExceeded) return fail(tooManyPieces())
    if (received > maxBytes) return fail(moreBytesThan(maxBytes))
    joiner.add(piece)
    if (joiner.chunks.length === 0) return
    if (received - consumed > maxUnconsumedBytes) throttle.pause()
    wake()
  }
  const onEnd = () => {
    isEnded = true
    joiner.flush()
    wake()
  }
  const onError = (cause: unknown) => fail(new Failure('BAD_REQUEST', { cause }))
  const onClose = () => onError(undefined)
  const onAbort = () => fail(signal.reason)

  const { socket } = request
  request.on('data', onData).on('end', onEnd).on('error', onError)
  // After its response was sent, as at shutdown, a request emits no error when its connection closes.
  socket.once('close', onClose)
  signal.addEventListener('abort', onAbort)
  if (request.destroyed || socket.destroyed) onClose()
  try {
    while (true) {
      if (isFailed) throw failure
      const chunk = joiner.chunks.shift()
      if (chunk) {
        consumed += chunk.length
        yield chunk
        continue
      }
      if (isEnded) return
      throttle.resume()
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  } finally {
    request.off('data', onData).off('end', onEnd).off('error', onError)
    socket.off('close', onClose)
    signal.removeEventListener('abort', onAbort)
    if (!pieceBudget.isExceeded) throttle.resume()
  }
}
