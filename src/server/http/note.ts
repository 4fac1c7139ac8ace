import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { PieceBudget } from './piece-budget.ts'

/** What is noted of a request, for whoever deals with it. */
export interface Note {
  /** In its answer, its line of the log and the change log. */
  readonly id: string
  /** By `performance.now()`. */
  readonly arrived: number
  /** What is wrong with it, where that was found before it was routed: it is routed only for that to be said. */
  refusal?: unknown
  /** Set once its body is received piece by piece, see `piecesOf`. */
  pieces?: PieceBudget
}

interface Noted extends IncomingMessage {
  summitNote?: Note
}

/** The note of a request, made by the first who asks for it. It is kept on the request, as it has to die with it. */
export function noteOf(request: Noted): Note {
  request.summitNote ??= { id: randomUUID(), arrived: performance.now() }
  return request.summitNote
}
