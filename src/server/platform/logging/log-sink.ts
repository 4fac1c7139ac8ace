import { openOutput, type Write } from './open-output.ts'

/** Characters to collect before a write; a system call for each line would cost more than the line itself. */
const batchLength = 8 * 1024

/** Maximum delay before a line is first written, and between retries. */
const flushMs = 200

/** Retry delay while the reader makes progress: a terminal accepts only a few kilobytes at a time. */
const progressRetryMs = 2

/**
 * Writes of this size to a pipe are atomic on Linux (PIPE_BUF), so that lines of several processes are not interleaved.
 */
const chunkBytes = 4096

/** Size of the buffer, about 5,000 lines; lines beyond it are dropped while nothing can be written. */
const maxBufferedBytes = 1024 * 1024

/** How long the exit of the process waits for a reader. */
const finishTimeoutMs = 250

const lineBreak = 10

/**
 * Writes lines to standard output or standard error without ever blocking the event loop or the exit of the process,
 * with any kind of output: lines that cannot be written are buffered, and once the buffer is full they are dropped and
 * counted. When the buffer has been written, a line reports how many were dropped.
 */
export class LogSink {
  readonly #fd: 1 | 2
  #output: Write | undefined
  #batch = ''
  /** Chunks of whole lines, oldest first; the start of the first one may already have been written. */
  readonly #buffered: Buffer[] = []
  #bufferedBytes = 0
  #timer: NodeJS.Timeout | undefined
  /** Dropped since the last report. Until the next one all lines are dropped, so that there is a single gap. */
  #unreported = 0
  #dropped = 0

  constructor(fd: 1 | 2) {
    this.#fd = fd
  }

  /** Number of lines dropped so far. */
  get dropped(): number {
    return this.#dropped
  }

  /** @param lines complete lines, each with its line break */
  write(lines: string): void {
    this.#batch += lines
    if (this.#batch.length >= batchLength) this.flush()
    else this.#flushIn(flushMs)
  }

  /** Writes as much as possible without waiting. */
  flush(): void {
    const bytes = Buffer.from(this.#batch)
    this.#batch = ''
    const before = this.#bufferedBytes
    // First, to make room for the new lines.
    this.#writeBuffered()
    const hasProgress = this.#bufferedBytes < before
    this.#add(bytes)
    if (hasProgress || before === 0) this.#writeBuffered()
    if (this.#buffered.length > 0) this.#flushIn(hasProgress ? progressRetryMs : flushMs)
  }

  /** At exit: waits briefly until everything has been written. */
  finish(): void {
    const deadline = performance.now() + finishTimeoutMs
    this.flush()
    while (this.#buffered.length > 0 && performance.now() < deadline) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, progressRetryMs)
      this.#writeBuffered()
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
      const end = chunkEnd(bytes, start)
      const chunk = bytes.subarray(start, end)
      start = end
      if (this.#unreported === 0 && !this.#fits(chunk)) this.#writeBuffered()
      if (this.#unreported > 0 || !this.#fits(chunk)) this.#drop(chunk)
      else this.#buffer(chunk)
    }
  }

  /** A single line that is longer than the buffer still fits if the buffer is empty. */
  #fits(chunk: Buffer): boolean {
    return this.#buffered.length === 0 || this.#bufferedBytes + chunk.length <= maxBufferedBytes
  }

  #buffer(chunk: Buffer): void {
    this.#buffered.push(chunk)
    this.#bufferedBytes += chunk.length
  }

  #drop(chunk: Buffer): void {
    const lines = countLines(chunk)
    this.#dropped += lines
    this.#unreported += lines
  }

  #writeBuffered(): void {
    for (let chunk = this.#buffered[0]; chunk; chunk = this.#buffered[0]) {
      const written = this.#tryToWrite(chunk)
      if (written === 0) return
      this.#bufferedBytes -= written
      if (written < chunk.length) this.#buffered[0] = chunk.subarray(written)
      else this.#buffered.shift()
      if (this.#buffered.length === 0 && this.#unreported > 0) this.#report()
    }
  }

  /** Lines stay buffered on any error, as a disk may be freed and a named pipe may get a new reader. */
  #tryToWrite(chunk: Buffer): number {
    try {
      this.#output ??= openOutput(this.#fd)
      return this.#output(chunk)
    } catch {
      return 0
    }
  }

  #report(): void {
    const msg = 'log lines were dropped: the reader or storage of the log could not keep up'
    const line = { level: 40, time: new Date().toISOString(), dropped: this.#unreported, msg }
    this.#unreported = 0
    this.#buffer(Buffer.from(`${JSON.stringify(line)}\n`))
  }
}

/** The end of as many whole lines as fit into a chunk, at least one. */
function chunkEnd(bytes: Buffer, start: number): number {
  if (bytes.length - start <= chunkBytes) return bytes.length
  const last = bytes.lastIndexOf(lineBreak, start + chunkBytes - 1)
  const end = last >= start ? last : bytes.indexOf(lineBreak, start)
  return end < 0 ? bytes.length : end + 1
}

function countLines(bytes: Buffer): number {
  let lines = 0
  for (let at = bytes.indexOf(lineBreak); at >= 0; at = bytes.indexOf(lineBreak, at + 1)) lines++
  return lines
}
