import type { IncomingMessage } from 'node:http'
import { finished } from 'node:stream'

/**
 * Destroys a response whose sender stops sending in the middle of it. A pause because our own reader is slow does not
 * count: then there are buffered bytes.
 * @param timeoutMs the response is destroyed after a pause between this and twice as long
 */
export function destroyWhenStalled(response: IncomingMessage, timeoutMs: number): void {
  let previousBytesRead = -1
  const timer = setInterval(() => {
    const { bytesRead } = response.socket
    if (!response.complete && response.readableLength === 0 && bytesRead === previousBytesRead)
      response.destroy(new Error(`No data received for ${timeoutMs} ms`))
    previousBytesRead = bytesRead
  }, timeoutMs)
  timer.unref()
  finished(response, () => clearInterval(timer))
}
