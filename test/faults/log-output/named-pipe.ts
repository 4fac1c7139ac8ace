import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasCode } from '../../../src/server/core/errors.ts'

/** A pipe that is read only on demand. */
export class NamedPipe {
  readonly #dir = mkdtempSync(join(tmpdir(), 'summit-pipe-'))
  readonly #buffer = Buffer.alloc(65_536)
  #reader: number | undefined
  /** File descriptor for the writing process. It blocks, as a pipe of a shell does. */
  readonly writer: number

  constructor() {
    const path = join(this.#dir, 'pipe')
    execFileSync('/usr/bin/mkfifo', [path])
    this.#reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    this.writer = openSync(path, constants.O_WRONLY)
  }

  /** Reads the content of the pipe without waiting. */
  read(): string {
    let text = ''
    try {
      for (;;) {
        const bytes = readSync(this.#reader ?? -1, this.#buffer)
        if (bytes === 0) return text
        text += this.#buffer.toString('latin1', 0, bytes)
      }
    } catch (error) {
      if (!hasCode(error, 'EAGAIN')) throw error
      return text
    }
  }

  closeReader(): void {
    if (this.#reader !== undefined) closeSync(this.#reader)
    this.#reader = undefined
  }

  [Symbol.dispose](): void {
    this.closeReader()
    closeSync(this.writer)
    rmSync(this.#dir, { recursive: true })
  }
}
