import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { bodyField, Failure } from '../../core/failure.ts'

/** Unconsumed bytes at which the connection is paused: a disk may be slower than the network. */
const maxUnconsumedBytes = 128 * 1024

/** @param message which limit the request exceeds, and how much it allows */
export const bodyTooLarge = (message: string): Failure =>
  new Failure('TOO_LARGE', { fields: [bodyField('', 'TOO_LARGE', message)] })

export const moreBytesThan = (maxBytes: number): Failure => bodyTooLarge(`The body may have at most ${maxBytes} bytes.`)

const tooManyChunks = (): Failure =>
  bodyTooLarge(
    `The body may arrive in at most ${freeChunks} pieces; in more of them only if they have ${minAverageBytes} bytes on average.`,
  )

/**
 * Yields the body of a request in chunks of 16 KiB or more (the last may be smaller), as fast as they are consumed.
 * @param signal stops it with the signal's reason
 * @throws Failure TOO_LARGE beyond `maxBytes`, or for a body in too many small chunks; BAD_REQUEST if the client
 *   disconnects
 */
export async function* bodyChunks(
  request: IncomingMessage,
  maxBytes: number,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void> {
  const chunkBudget = chunkBudgetOf(request)
  const throttle = new SocketThrottle(request.socket)
  const joiner = new ChunkJoiner()
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
    // The rest of the body would cost as much to receive as the chunks so far.
    if (chunkBudget.isExceeded) throttle.pause()
    request.off('data', onData)
    wake()
  }
  const onData = (chunk: Buffer) => {
    received += chunk.length
    chunkBudget.count(chunk.length)
    if (chunkBudget.isExceeded) return fail(tooManyChunks())
    if (received > maxBytes) return fail(moreBytesThan(maxBytes))
    joiner.add(chunk)
    if (joiner.joined.length === 0) return
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
      const chunk = joiner.joined.shift()
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
    if (!chunkBudget.isExceeded) throttle.resume()
  }
}

/** How long a client may continue to send a body that is discarded. */
const lingerMs = 30_000

/** How long a client may take to read its response once its body is no longer received. */
const readMs = 2_000

/**
 * For a response that is sent while the body is still arriving. Receives and discards the rest, but not for ever: a
 * client that is disconnected while it sends may lose the response with the connection (RFC 9112, 9.6). A body that
 * exceeds its chunk budget is not even received.
 */
export function drainRequestBody(request: IncomingMessage): void {
  // A request that is already closed sends nothing more, and would not emit `close` again.
  if (request.complete || request.destroyed || !hasBody(request)) return
  const { socket } = request
  const chunkBudget = chunkBudgetOf(request)
  const disconnectAfter = (ms: number) => {
    const timer = setTimeout(() => socket.destroy(), ms)
    const cancel = () => {
      clearTimeout(timer)
      request.off('close', cancel)
      socket.off('close', cancel)
    }
    request.once('close', cancel)
    // After its response was sent, a request does not close with its connection.
    socket.once('close', cancel)
  }
  disconnectAfter(lingerMs)
  if (chunkBudget.isExceeded) {
    delayClose(socket)
    return
  }
  const discard = ({ length }: Buffer) => {
    chunkBudget.count(length)
    if (!chunkBudget.isExceeded) return
    request.off('data', discard)
    new SocketThrottle(socket).pause()
    disconnectAfter(readMs)
  }
  request.on('data', discard)
}

/**
 * Delays the close of a connection whose body is not read until the client has had time to read the response: the
 * kernel resets a connection that is closed with unread bytes, and a reset discards what the client has not read yet.
 */
function delayClose(socket: Socket): void {
  socket.destroySoon = () => {
    socket.end()
    const timer = setTimeout(() => socket.destroy(), readMs)
    socket.once('close', () => clearTimeout(timer))
  }
}

/**
 * Whether a request has a body. `complete` does not tell: it is still false for any request whose head is being
 * handled.
 */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined

/** Chunks that any body may arrive in, however small they are: a client may flush every token of its JSON. */
const freeChunks = 10_000

/** Average bytes required of each further chunk. TCP segments have several hundred on the worst of networks. */
const minAverageBytes = 64

/**
 * Counts the chunks that a body arrives in. Each costs Node about a microsecond, regardless of its size: a client that
 * sends a megabyte byte by byte uses as much processor time as one that sends a thousand megabytes.
 */
class ChunkBudget {
  #chunks = 0
  #bytes = 0

  count(bytes: number): void {
    this.#chunks++
    this.#bytes += bytes
  }

  get isExceeded(): boolean {
    return this.#chunks > freeChunks + this.#bytes / minAverageBytes
  }
}

interface RequestWithBudget extends IncomingMessage {
  summitChunks?: ChunkBudget
}

/**
 * The budget of a request's body, shared by its successive readers. It is stored on the request, to share its lifetime.
 */
export function chunkBudgetOf(request: RequestWithBudget): ChunkBudget {
  request.summitChunks ??= new ChunkBudget()
  return request.summitChunks
}

/** Chunks of this size or more are passed on unchanged. */
const blockBytes = 16_384

/** Joins small chunks to larger ones: for a consumer, a chunk of one byte costs as much as a large one. */
class ChunkJoiner {
  /** The joined chunks, to be removed by the consumer. */
  readonly joined: Buffer[] = []
  #block = Buffer.alloc(0)
  #filled = 0

  add(chunk: Buffer): void {
    if (chunk.length >= blockBytes) {
      this.flush()
      this.joined.push(chunk)
      return
    }
    let added = 0
    while (added < chunk.length) {
      if (this.#filled === this.#block.length) this.#startBlock()
      const copied = chunk.copy(this.#block, this.#filled, added)
      this.#filled += copied
      added += copied
    }
  }

  /** Completes the current block, unless it is empty. */
  flush(): void {
    if (this.#filled > 0) this.joined.push(this.#block.subarray(0, this.#filled))
    this.#block = Buffer.alloc(0)
    this.#filled = 0
  }

  #startBlock(): void {
    this.flush()
    // Not from the pool: `releaseChunks` frees only memory that a chunk has to itself.
    this.#block = Buffer.allocUnsafeSlow(blockBytes)
  }
}

/**
 * Pauses and resumes reading from a connection. Pausing a request is not enough: Node keeps reading until it has
 * buffered 64 KiB of its body, which are 65,536 objects if they arrive byte by byte.
 */
class SocketThrottle {
  readonly #socket: Socket
  #isPaused = false

  constructor(socket: Socket) {
    this.#socket = socket
  }

  pause(): void {
    if (this.#isPaused) return
    this.#isPaused = true
    // Node resumes the socket whenever one of its requests can buffer more.
    this.#socket.on('resume', this.#pauseSocket)
    this.#socket.pause()
  }

  resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#socket.off('resume', this.#pauseSocket)
    this.#socket.resume()
  }

  readonly #pauseSocket = (): void => void this.#socket.pause()
}
