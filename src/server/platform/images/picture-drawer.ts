import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { DrawnPicture, DrawRequest } from './draw-process.ts'
import type { PictureFormat } from './placeholder.ts'
import type { PlaceholderSubject } from './placeholder-version.ts'

const program = fileURLToPath(new URL('draw-process.ts', import.meta.url))

/** Attendees open the program together: most pictures are drawn within a minute, and then none for hours. */
const defaultIdleMs = 30_000

/** A picture takes tens of milliseconds, and the first one of a process a second. A process that takes longer hangs. */
const defaultLimitMs = 15_000

/**
 * After two processes have failed, none is started for this long: the pictures that wait would otherwise each wait for
 * two of their own.
 */
const pauseMs = 5_000

/** The process ended, hung or could not start, twice. It may succeed later. */
export class DrawingInterrupted extends Error {
  override readonly name = 'DrawingInterrupted'
}

interface DrawerOptions {
  idleMs?: number
  limitMs?: number
}

/** The process and its pending requests. */
interface Drawing {
  readonly child: ChildProcess
  readonly pending: Map<number, PromiseWithResolvers<Buffer>>
  /** Fails all pending requests; the next one gets another process. */
  readonly end: (why: string) => void
}

/**
 * Draws pictures in a separate process, which starts with the first one and is killed when idle: fonts and libvips take
 * a hundred megabytes that a process would not release otherwise.
 */
export class PictureDrawer {
  readonly #idleMs: number
  readonly #limitMs: number
  #drawing: Drawing | undefined
  #lastId = 0
  #idle: NodeJS.Timeout | undefined
  #isClosed = false
  #pausedUntil = 0

  constructor({ idleMs = defaultIdleMs, limitMs = defaultLimitMs }: DrawerOptions = {}) {
    this.#idleMs = idleMs
    this.#limitMs = limitMs
  }

  /**
   * If the process ends or hangs, tries once more with another.
   * @throws DrawingInterrupted if that fails, too, or has just failed; Error if the picture cannot be drawn
   */
  async draw(subject: PlaceholderSubject, format: PictureFormat = 'png'): Promise<Buffer> {
    if (performance.now() < this.#pausedUntil) throw new DrawingInterrupted('Drawing has just failed twice.')
    try {
      return await this.#tryToDraw(subject, format)
    } catch (error) {
      if (!(error instanceof DrawingInterrupted) || this.#isClosed) throw error
    }
    try {
      return await this.#tryToDraw(subject, format)
    } catch (error) {
      if (error instanceof DrawingInterrupted) this.#pausedUntil = performance.now() + pauseMs
      throw error
    }
  }

  /** Ends the process, if there is one, and fails pending requests. */
  close(): void {
    this.#isClosed = true
    this.#drawing?.end('was ended')
  }

  async #tryToDraw(subject: PlaceholderSubject, format: PictureFormat): Promise<Buffer> {
    clearTimeout(this.#idle)
    this.#drawing ??= this.#start()
    const { child, pending, end } = this.#drawing
    const id = ++this.#lastId
    const picture = Promise.withResolvers<Buffer>()
    pending.set(id, picture)
    // Both: the channel is closed before the exit is reported.
    child.channel?.ref()
    child.ref()
    const limit = setTimeout(() => end(`took longer than ${this.#limitMs / 1000} seconds`), this.#limitMs)
    child.send({ id, subject, format } satisfies DrawRequest, (error) => error && end(`failed: ${error.message}`))
    try {
      return await picture.promise
    } finally {
      clearTimeout(limit)
      pending.delete(id)
      if (pending.size === 0) this.#becomeIdle(child)
    }
  }

  #start(): Drawing {
    const child = fork(program, {
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const pending: Drawing['pending'] = new Map()
    const drawing: Drawing = {
      child,
      pending,
      end: (why) => {
        if (this.#drawing === drawing) this.#drawing = undefined
        // A stopped process would not notice that it is disconnected.
        child.kill('SIGKILL')
        for (const { reject } of pending.values())
          reject(new DrawingInterrupted(`The process that draws pictures ${why}.`))
      },
    }
    child.on('message', (picture: DrawnPicture) => {
      if ('bytes' in picture) pending.get(picture.id)?.resolve(Buffer.from(picture.bytes))
      else pending.get(picture.id)?.reject(new Error(`A picture could not be drawn: ${picture.error}`))
    })
    child.once('error', (error) => drawing.end(`could not start: ${error.message}`))
    child.once('exit', (code, signal) => drawing.end(`exited with ${signal ?? `code ${code}`}`))
    return drawing
  }

  /** Lets this process exit, and ends the other one after a time without requests. */
  #becomeIdle(child: ChildProcess): void {
    child.channel?.unref()
    child.unref()
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => {
      if (this.#drawing?.pending.size === 0) this.#drawing.end('was idle')
    }, this.#idleMs).unref()
  }
}
