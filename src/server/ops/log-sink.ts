import { openOutput, type Write } from './open-output.ts'

/** Characters that are gathered before they are written; a call of the system for each line would cost more than it. */
const batchLength = 8 * 1024

/** No line waits longer than this to be tried, nor to be tried again. */
const flushMs = 200

/** While a reader takes some, it soon takes more: a terminal has room for a few kilobytes at a time. */
const nextMs = 2

/** What Linux writes to a pipe as a whole or not at all (PIPE_BUF), so that lines of several processes do not mix. */
const pieceBytes = 4096

/** Lines beyond this are dropped while nothing can be written: about 5,000. */
const maxWaitingBytes = 1024 * 1024

/** How long the end of the process waits for a reader. */
const finishMs = 250

const lineBreak = 10

/**
 * Standard output or standard error as a place for lines. It never holds up the event loop or the end of the process,
 * whatever is behind it: lines that cannot be written wait in a bounded buffer, and beyond it they are dropped and
 * counted. Once everything that waited is written, a line says how many were dropped.
 */
export class LogSink {
  readonly #fd: 1 | 2
  #output: Write | undefined
  #batch = ''
  /** Pieces of whole lines, oldest first; only the first may lack its beginning, which is written already. */
  readonly #waiting: Buffer[] = []
  #waitingBytes = 0
  #timer: NodeJS.Timeout | undefined
  /** Since it was last said. Until it is, all lines are dropped, so that they are missing in one place. */
  #unreported = 0
  #dropped = 0

  constructor(fd: 1 | 2) {
    this.#fd = fd
  }

  /** Lines that were dropped so far. */
  get dropped(): number {
    return this.#dropped
  }

  /** @param lines whole ones, each with its line break */
  write(lines: string): void {
    this.#batch += lines
    if (this.#batch.length >= batchLength) this.flush()
    else this.#flushIn(flushMs)
  }

  /** Writes what can be written at once. */
  flush(): void {
    const bytes = Buffer.from(this.#batch)
    this.#batch = ''
    const before = this.#waitingBytes
    // First, so that new lines find room.
    this.#writeWaiting()
    const isTaken = this.#waitingBytes < before
    this.#add(bytes)
    if (isTaken || before === 0) this.#writeWaiting()
    if (this.#waiting.length > 0) this.#flushIn(isTaken ? nextMs : flushMs)
  }

  /** At the end of the process: waits for a moment, and no longer, until everything is written. */
  finish(): void {
    const deadline = performance.now() + finishMs
    this.flush()
    while (this.#waiting.length > 0 && performance.now() < deadline) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, nextMs)
      this.#writeWaiting()
    }
  }

  #flushIn(ms: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.flush()
    }, ms).unref()
  }

  #add(bytes: Buffer): void {
    for (let start = 0; start < bytes.length; ) {
      const end = pieceEnd(bytes, start)
      const piece = bytes.subarray(start, end)
      start = end
      if (this.#unreported === 0 && !this.#fits(piece)) this.#writeWaiting()
      if (this.#unreported > 0 || !this.#fits(piece)) this.#drop(piece)
      else this.#wait(piece)
    }
  }

  /** A line that is longer than all that may wait is tried as well, by itself. */
  #fits(piece: Buffer): boolean {
    return this.#waiting.length === 0 || this.#waitingBytes + piece.length <= maxWaitingBytes
  }

  #wait(piece: Buffer): void {
    this.#waiting.push(piece)
    this.#waitingBytes += piece.length
  }

  #drop(piece: Buffer): void {
    const lines = countLines(piece)
    this.#dropped += lines
    this.#unreported += lines
  }

  #writeWaiting(): void {
    for (let piece = this.#waiting[0]; piece; piece = this.#waiting[0]) {
      const written = this.#tryToWrite(piece)
      if (written === 0) return
      this.#waitingBytes -= written
      if (written < piece.length) this.#waiting[0] = piece.subarray(written)
      else this.#waiting.shift()
      if (this.#waiting.length === 0 && this.#unreported > 0) this.#report()
    }
  }

  /** A disk may get room again, a named pipe another reader: whatever the error is, the lines wait. */
  #tryToWrite(piece: Buffer): number {
    try {
      this.#output ??= openOutput(this.#fd)
      return this.#output(piece)
    } catch {
      return 0
    }
  }

  #report(): void {
    const msg = 'log lines were dropped, as whatever reads or stores the log did not take them in time'
    const line = { level: 40, time: new Date().toISOString(), dropped: this.#unreported, msg }
    this.#unreported = 0
    this.#wait(Buffer.from(`${JSON.stringify(line)}\n`))
  }
}

/** As many whole lines as fit into a piece, and at least one. */
function pieceEnd(bytes: Buffer, start: number): number {
  if (bytes.length - start <= pieceBytes) return bytes.length
  const last = bytes.lastIndexOf(lineBreak, start + pieceBytes - 1)
  const end = last >= start ? last : bytes.indexOf(lineBreak, start)
  return end < 0 ? bytes.length : end + 1
}

function countLines(bytes: Buffer): number {
  let lines = 0
  for (let at = bytes.indexOf(lineBreak); at >= 0; at = bytes.indexOf(lineBreak, at + 1)) lines++
  return lines
}
