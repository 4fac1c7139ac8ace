import type { IncomingMessage } from 'node:http'
import { finished } from 'node:stream'

/**
 * Destroys an answer whose sender falls silent in the middle of it. Silence while our own reader is slow does not
 * count: then there are bytes that it has not taken yet.
 * @param ms at least this much silence, and at most twice as much
 */
export function cutWhenStalled(answer: IncomingMessage, ms: number): void {
  let seen = -1
  const look = setInterval(() => {
    const { bytesRead } = answer.socket
    if (!answer.complete && answer.readableLength === 0 && bytesRead === seen)
      answer.destroy(new Error(`the bytes stopped coming for ${ms} ms`))
    seen = bytesRead
  }, ms)
  look.unref()
  finished(answer, () => clearInterval(look))
}
