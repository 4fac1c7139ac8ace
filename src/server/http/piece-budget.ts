import type { IncomingMessage } from 'node:http'

/** Pieces that a body may come in, however small they are: a client may flush every token of its JSON. */
const freePieces = 10_000

/** What each further piece has to bring on average. Segments of TCP bring some hundred on the worst of networks. */
const leastBytes = 64

/**
 * Counts the pieces of one body. Each costs Node about a microsecond, whatever it brings: a client that sends a megabyte
 * byte by byte takes as much of the processor as one that sends a thousand megabytes.
 */
export class PieceBudget {
  #pieces = 0
  #bytes = 0

  take(bytes: number): void {
    this.#pieces++
    this.#bytes += bytes
  }

  get isSpent(): boolean {
    return this.#pieces > freePieces + this.#bytes / leastBytes
  }
}

interface Received extends IncomingMessage {
  summitPieces?: PieceBudget
}

/** The budget of the body of a request, for all that receive it one after the other. It is stored on the request to end with it. */
export function piecesOf(request: Received): PieceBudget {
  request.summitPieces ??= new PieceBudget()
  return request.summitPieces
}
