import type { IncomingMessage } from 'node:http'

/** Pieces that any body may arrive in, however small they are: a client may flush every token of its JSON. */
export const freePieces = 10_000

/** Average bytes required of each further piece. TCP segments have several hundred on the worst of networks. */
export const minAverageBytes = 64

/**
 * Counts the pieces that a body arrives in. Each costs Node about a microsecond, regardless of its size: a client that
 * sends a megabyte byte by byte uses as much processor time as one that sends a thousand megabytes.
 */
export class PieceBudget {
  #pieces = 0
  #bytes = 0

  count(bytes: number): void {
    this.#pieces++
    this.#bytes += bytes
  }

  get isExceeded(): boolean {
    return this.#pieces > freePieces + this.#bytes / minAverageBytes
  }
}

interface RequestWithBudget extends IncomingMessage {
  summitPieces?: PieceBudget
}

/**
 * The budget of a request's body, shared by its successive readers. It is stored on the request, to share its lifetime.
 */
export function pieceBudgetOf(request: RequestWithBudget): PieceBudget {
  request.summitPieces ??= new PieceBudget()
  return request.summitPieces
}
