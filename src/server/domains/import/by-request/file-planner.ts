import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Failure } from '../../../core/failure.ts'
import type { PlanJob, PlanMessage, PlanOf, PlanRequest } from './plan-process.ts'
import type { RejectedFile } from './plan-program.ts'

/** Files that wait or are being planned. */
const maxFiles = 4

/** By when one of them is probably done. */
const retryAfterSeconds = 10

interface PlannerOptions {
  /** Of the heap of the process. The largest programs, and damaged files of 20 MB, need a few hundred. */
  mebibytes?: number
  /** A program of 895 sessions takes two. */
  limitMs?: number
  /** An editor who has seen a plan applies it within minutes, and a process takes half a second to start. */
  idleMs?: number
}

type Outcome = PlanOf<PlanJob> | RejectedFile

const program = fileURLToPath(new URL('plan-process.ts', import.meta.url))

/** How Node ends where its heap is full: by a signal, or where there are none by an exit code. */
const outOfMemory: readonly unknown[] = ['SIGABRT', 134]

/**
 * Plans imports, one at a time and in a process of its own: to read and compare a program takes seconds, in which others are
 * served, and a hostile file can only exceed the memory and time of its process. A thread whose heap is full may end the
 * whole server. The process starts with the first file, and ends when idle.
 */
export class FilePlanner {
  readonly #options: Required<PlannerOptions>
  #process: ChildProcess | undefined
  #idle: NodeJS.Timeout | undefined
  #files = 0
  #last: Promise<unknown> = Promise.resolve()

  constructor({ mebibytes = 768, limitMs = 30_000, idleMs = 60_000 }: PlannerOptions = {}) {
    this.#options = { mebibytes, limitMs, idleMs }
  }

  /**
   * @param prepare called when it is the turn of the file
   * @param readSpreadsheet see `planProgram`
   * @throws Failure UNAVAILABLE if too many wait
   */
  async plan<J extends PlanJob>(
    prepare: () => Promise<J>,
    readSpreadsheet: () => Promise<string> = async () => '',
  ): Promise<PlanOf<J> | RejectedFile> {
    if (this.#files >= maxFiles) throw new Failure('UNAVAILABLE', { retryAfterSeconds })
    this.#files++
    const planned = this.#last.then(async () => this.#run(await prepare(), readSpreadsheet))
    this.#last = planned.catch(() => {})
    // Its plan is that of its job.
    return planned.finally(() => this.#files--) as Promise<PlanOf<J> | RejectedFile>
  }

  /** Ends the process; a file that is being planned fails. */
  async close(): Promise<void> {
    clearTimeout(this.#idle)
    const child = this.#process
    this.#process = undefined
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }

  async #run(job: PlanJob, readSpreadsheet: () => Promise<string>): Promise<Outcome> {
    clearTimeout(this.#idle)
    this.#process ??= this.#start()
    const child = this.#process
    // Both: the channel is closed before the exit is reported.
    child.channel?.ref()
    child.ref()
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
    const limit = setTimeout(() => resolve(rejectFile('It takes too long to read.')), this.#options.limitMs)
    const send = (request: PlanRequest) => child.send(request, (error) => error && reject(error))
    const onMessage = (message: PlanMessage): void => {
      if ('outcome' in message) resolve(message.outcome)
      else if ('error' in message) reject(message.error)
      else readSpreadsheet().then((spreadsheet) => send({ spreadsheet }), reject)
    }
    const onExit = (code: number | null, signal: NodeJS.Signals | null): void => {
      if (outOfMemory.includes(signal ?? code)) resolve(rejectFile('It takes too much memory to read.'))
      else reject(new Error(`The process that plans imports exited with ${signal ?? `code ${code}`}.`))
    }
    child.on('message', onMessage).once('error', reject).once('exit', onExit)
    send({ job })
    let isIdle = false
    try {
      const outcome = await promise
      isIdle = 'shown' in outcome || !outcome.isLimit
      return outcome
    } finally {
      clearTimeout(limit)
      child.off('message', onMessage).off('error', reject).off('exit', onExit)
      if (isIdle) this.#becomeIdle(child)
      else await this.close()
    }
  }

  #start(): ChildProcess {
    const child = fork(program, {
      execArgv: [`--max-old-space-size=${this.#options.mebibytes}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    // Also while it is idle.
    child.on('error', () => {})
    child.once('exit', () => {
      if (this.#process === child) this.#process = undefined
    })
    return child
  }

  #becomeIdle(child: ChildProcess): void {
    child.channel?.unref()
    child.unref()
    this.#idle = setTimeout(() => this.close(), this.#options.idleMs).unref()
  }
}

const rejectFile = (message: string): RejectedFile => ({ rejected: [{ line: undefined, message }], isLimit: true })
