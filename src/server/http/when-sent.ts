import type { ServerResponse } from 'node:http'

/**
 * Calls back once an answer that has ended is sent, and never when its client has gone before.
 * @returns whether it is sent already
 */
export function whenSent(response: ServerResponse, done: () => void): boolean {
  // `finish` comes later even where the kernel has taken all of it already.
  const isSent = response.socket?.writableLength === 0 && !response.destroyed
  if (isSent) done()
  else response.once('finish', done)
  return isSent
}
