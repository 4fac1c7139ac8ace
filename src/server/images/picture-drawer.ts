import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { DrawnPicture, DrawRequest } from './draw-process.ts'
import type { PictureFormat } from './placeholder.ts'
import type { PlaceholderSubject } from './placeholder-version.ts'

const program = fileURLToPath(new URL('draw-process.ts', import.meta.url))

/** Attendees open the program together: most pictures are drawn within a minute, and then none for hours. */
const defaultIdleMs = 30_000

/** The process and its pending requests. */
interface Drawing {
  readonly child: ChildProcess
  readonly pending: Map<number, PromiseWithResolvers<Buffer>>
}

/**
 * Draws pictures in a separate process, which starts with the first one and exits when idle: fonts and libvips take a
 * hundred megabytes that a process would not release otherwise.
 */
export class PictureDrawer {
  readonly #idleMs: number
  #drawing: Drawing | undefined
  #lastId = 0
  #idle: NodeJS.Timeout | undefined

  constructor(idleMs = defaultIdleMs) {
    this.#idleMs = idleMs
  }

  /** @throws Error when drawing fails, or the process ends */
  async draw(subject: PlaceholderSubject, format: PictureFormat = 'png'): Promise<Buffer> {
    clearTimeout(this.#idle)
    this.#drawing ??= this.#start()
    const { child, pending } = this.#drawing
    const id = ++this.#lastId
    const picture = Promise.withResolvers<Buffer>()
    pending.set(id, picture)
    // Both: the channel is closed before the exit is reported.
    child.channel?.ref()
    child.ref()
    child.send({ id, subject, format } satisfies DrawRequest, (error) => error && picture.reject(error))
    try {
      return await picture.promise
    } finally {
      pending.delete(id)
      if (pending.size === 0) this.#becomeIdle(child)
    }
  }

  /** Ends the process, if there is one. */
  close(): void {
    clearTimeout(this.#idle)
    if (this.#drawing?.child.connected) this.#drawing.child.disconnect()
    this.#drawing = undefined
  }

  #start(): Drawing {
    const child = fork(program, {
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const drawing: Drawing = { child, pending: new Map() }
    child.on('message', (picture: DrawnPicture) => {
      if ('bytes' in picture) drawing.pending.get(picture.id)?.resolve(Buffer.from(picture.bytes))
      else drawing.pending.get(picture.id)?.reject(new Error(`A picture could not be drawn: ${picture.error}`))
    })
    const end = (why: string) => {
      if (this.#drawing === drawing) this.#drawing = undefined
      for (const { reject } of drawing.pending.values()) reject(new Error(`The process that draws pictures ${why}.`))
    }
    child.once('error', (error) => end(`could not start: ${error.message}`))
    child.once('exit', (code, signal) => end(`exited with ${signal ?? `code ${code}`}`))
    return drawing
  }

  /** Lets this process exit, and closes the other one after a time without requests. */
  #becomeIdle(child: ChildProcess): void {
    child.channel?.unref()
    child.unref()
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => this.close(), this.#idleMs).unref()
  }
}
