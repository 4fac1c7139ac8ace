import { Worker } from 'node:worker_threads'
import { hasCode } from '../../../core/errors.ts'
import { Failure } from '../../../core/failure.ts'
import type { RejectedFile } from './plan-program.ts'
import type { PlanJob, PlanMessage, PlanOf, PlanRequest } from './plan-thread.ts'

/** Files that wait or are being planned. */
const maxFiles = 4

interface PlannerOptions {
  /** Of the heap of the thread. The largest programs, and damaged files of 20 MB, need a few hundred. */
  mebibytes?: number
  /** A program of 895 sessions takes two. */
  limitMs?: number
  /** An editor who has seen a plan applies it within minutes, and a thread takes half a second to start. */
  idleMs?: number
}

type Outcome = PlanOf<PlanJob> | RejectedFile

/**
 * Plans imports, one at a time and in a thread of its own: to read and compare a program takes seconds, in which others are
 * served, and a hostile file can only exceed the memory and time of its thread. That starts with the first file, and ends
 * when idle.
 */
export class FilePlanner {
  readonly #options: Required<PlannerOptions>
  #thread: Worker | undefined
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
    if (this.#files >= maxFiles) throw new Failure('UNAVAILABLE')
    this.#files++
    const planned = this.#last.then(async () => this.#run(await prepare(), readSpreadsheet))
    this.#last = planned.catch(() => {})
    // Its plan is that of its job.
    return planned.finally(() => this.#files--) as Promise<PlanOf<J> | RejectedFile>
  }

  /** Ends the thread; a file that is being planned fails. */
  async close(): Promise<void> {
    clearTimeout(this.#idle)
    const thread = this.#thread
    this.#thread = undefined
    await thread?.terminate()
  }

  async #run(job: PlanJob, readSpreadsheet: () => Promise<string>): Promise<Outcome> {
    clearTimeout(this.#idle)
    this.#thread ??= this.#start()
    const thread = this.#thread
    thread.ref()
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
    const limit = setTimeout(() => resolve(rejectFile('It takes too long to read.')), this.#options.limitMs)
    const onMessage = (message: PlanMessage): void => {
      if ('outcome' in message) resolve(message.outcome)
      else if ('error' in message) reject(message.error)
      else readSpreadsheet().then((spreadsheet) => thread.postMessage({ spreadsheet } satisfies PlanRequest), reject)
    }
    const onError = (error: unknown): void => {
      if (hasCode(error, 'ERR_WORKER_OUT_OF_MEMORY')) resolve(rejectFile('It takes too much memory to read.'))
      else reject(error)
    }
    const onExit = (): void => reject(new Error('The thread that plans imports has ended.'))
    thread.on('message', onMessage).once('error', onError).once('exit', onExit)
    thread.postMessage({ job } satisfies PlanRequest)
    let isIdle = false
    try {
      const outcome = await promise
      isIdle = 'shown' in outcome || !outcome.isLimit
      return outcome
    } finally {
      clearTimeout(limit)
      thread.off('message', onMessage).off('error', onError).off('exit', onExit)
      if (isIdle) this.#becomeIdle(thread)
      else await this.close()
    }
  }

  #start(): Worker {
    const thread = new Worker(new URL('plan-thread.ts', import.meta.url), {
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: this.#options.mebibytes },
    })
    // Also while it is idle.
    thread.on('error', () => {})
    thread.once('exit', () => {
      if (this.#thread === thread) this.#thread = undefined
    })
    return thread
  }

  #becomeIdle(thread: Worker): void {
    thread.unref()
    this.#idle = setTimeout(() => this.close(), this.#options.idleMs).unref()
  }
}

const rejectFile = (message: string): RejectedFile => ({ rejected: [{ line: undefined, message }], isLimit: true })
