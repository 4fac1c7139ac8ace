import { constants, fstatSync, openSync, type Stats, writeSync } from 'node:fs'
import { isatty } from 'node:tty'

/** Writes as many bytes as possible without blocking. @returns their number @throws EAGAIN if none can be written */
export type Write = (bytes: Uint8Array) => number

/** A libuv handle, which Node does not document. */
interface Handle {
  setBlocking?(isBlocking: boolean): void
}

/**
 * Opens standard output or standard error for non-blocking writes. O_NONBLOCK is a property of the open file
 * description, which other processes may share, so a pipe or terminal is reopened (Linux).
 */
export function openOutput(fd: 1 | 2): Write {
  const stats = fstatSync(fd)
  const reopened = stats.isFIFO() || isatty(fd) ? reopen(fd) : undefined
  if (reopened !== undefined) return (bytes) => writeSync(reopened, bytes)
  return isPipeOrSocket(stats) ? sharedWriter(fd) : (bytes) => writeSync(fd, bytes)
}

/** @returns undefined if that is impossible, or not permitted, as for a pipe of another user */
function reopen(fd: number): number | undefined {
  const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants
  try {
    return openSync(`/proc/self/fd/${fd}`, O_WRONLY | O_NONBLOCK | O_NOCTTY)
  } catch {
    return undefined
  }
}

const isPipeOrSocket = (stats: Stats): boolean => stats.isFIFO() || stats.isSocket()

/** Sockets, such as that of systemd's journal, cannot be reopened: the shared file description is made non-blocking. */
function sharedWriter(fd: 1 | 2): Write {
  const stream: object = fd === 1 ? process.stdout : process.stderr
  const handle: Handle | undefined = '_handle' in stream ? (stream._handle as Handle) : undefined
  return (bytes) => {
    // Before each write, as every process that is forked or exits makes it blocking again.
    handle?.setBlocking?.(false)
    return writeSync(fd, bytes)
  }
}
