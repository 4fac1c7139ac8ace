import type { IncomingMessage } from 'node:http'
import { finished } from 'node:stream'
import { storeTimeoutMs } from './blob-store.ts'

/** How long S3 may take, in milliseconds, before it counts as unavailable. */
export interface S3Limits {
  connect: number
  /** Until a response begins. */
  response: number
  remove: number
  /** Without any bytes, in the middle of a download. */
  stall: number
  /** For an upload of so many bytes. */
  upload: (bytes: number) => number
  /** Whether the time for an upload starts again with each chunk. */
  isUploadByProgress: boolean
}

/** Clients are waiting: an upload must get its response within 10 s when S3 is unavailable. */
export const requestLimits: S3Limits = {
  connect: 2_000,
  response: 5_000,
  remove: 1_500,
  stall: 5_000,
  upload: storeTimeoutMs,
  isUploadByProgress: false,
}

/** Nobody is waiting, and the connection may be slow or busy with the backup itself. */
export const backupLimits: S3Limits = {
  connect: 15_000,
  response: 30_000,
  remove: 30_000,
  stall: 60_000,
  // Megabytes of an upload may be in buffers of the operating system, and are sent without a sign of progress.
  upload: () => 120_000,
  isUploadByProgress: true,
}

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
