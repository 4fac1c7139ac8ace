import { constants, fstatSync, openSync, type Stats, writeSync } from 'node:fs'
import { isatty } from 'node:tty'

/** Writes as many of the bytes as it can without waiting. @returns how many @throws EAGAIN when it can write none */
export type Write = (bytes: Uint8Array) => number

/** A handle of libuv; Node does not document it. */
interface Handle {
  setBlocking?(isBlocking: boolean): void
}

/**
 * Opens standard output or standard error for writing that never waits for a reader. O_NONBLOCK belongs to the open file
 * description, which is shared with whoever else has the pipe, so a pipe or terminal is opened anew (Linux).
 */
export function openOutput(fd: 1 | 2): Write {
  const stats = fstatSync(fd)
  const own = stats.isFIFO() || isatty(fd) ? reopen(fd) : undefined
  if (own !== undefined) return (bytes) => writeSync(own, bytes)
  return isPipeOrSocket(stats) ? writerOfShared(fd) : (bytes) => writeSync(fd, bytes)
}

/** @returns undefined where that is not permitted, as for a pipe of another user, or not possible */
function reopen(fd: number): number | undefined {
  const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants
  try {
    return openSync(`/proc/self/fd/${fd}`, O_WRONLY | O_NONBLOCK | O_NOCTTY)
  } catch {
    return undefined
  }
}

const isPipeOrSocket = (stats: Stats): boolean => stats.isFIFO() || stats.isSocket()

/** Sockets, as systemd's journal has, cannot be opened anew: the description that is shared is made not to block. */
function writerOfShared(fd: 1 | 2): Write {
  const stream: object = fd === 1 ? process.stdout : process.stderr
  const handle: Handle | undefined = '_handle' in stream ? (stream._handle as Handle) : undefined
  return (bytes) => {
    // Each process that is forked, or that exits, makes it block again.
    handle?.setBlocking?.(false)
    return writeSync(fd, bytes)
  }
}
