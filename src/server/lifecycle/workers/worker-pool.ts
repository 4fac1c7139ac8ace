import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyBaseLogger } from 'fastify'
import type { Registry } from 'prom-client'
import { coalesce } from '../../core/coalesce.ts'
import { OperatorError } from '../../core/errors.ts'
import { aggregateMetrics, type WorkerChannel } from './aggregate-metrics.ts'
import { type DamageFound, diskFailed, type FromWorker, type ToWorker } from './messages.ts'

const program = fileURLToPath(new URL('main.ts', import.meta.url))

/** Delay before a worker is restarted, so that one that cannot start does not use up a core. */
const restartDelayMs = 1_000

export interface WorkerPoolOptions {
  workers: number
  /** Must be free: with SO_REUSEPORT, another listener on it would receive some of the connections. */
  port: number
  lingerMs: number
  log: FastifyBaseLogger
  /** The metrics of the main process. */
  registry: Registry
  /** Called when a sync to disk failed in a worker, once all workers have been killed. */
  onSyncError: (error: Error) => void
}

class WorkerStartError extends OperatorError {
  override readonly name = 'WorkerStartError'

  /** @param cause why the process could not be spawned; a process that was spawned has printed its error itself */
  constructor(cause?: Error) {
    super(`A worker could not start${cause ? `: ${cause.message}` : ''}.`, { cause })
  }
}

/**
 * Processes that serve requests at one address. Each accepts its own connections; the database and the blob store are
 * all they share. A worker that exits unexpectedly is restarted.
 */
export class WorkerPool {
  readonly #options: WorkerPoolOptions
  readonly #workers = new Map<ChildProcess, WorkerChannel>()
  /** Coalesced, as each of many concurrent scrapes would add a listener to every worker. */
  readonly #metrics = coalesce(() => aggregateMetrics(this.#workers.values(), this.#options.registry))
  #isStopping = false
  #damage: DamageFound | undefined
  /** URL of the workers, without a trailing slash. */
  address = ''

  private constructor(options: WorkerPoolOptions) {
    this.#options = options
  }

  /** @throws WorkerStartError */
  static async start(options: WorkerPoolOptions): Promise<WorkerPool> {
    const pool = new WorkerPool(options)
    try {
      await Promise.all(Array.from({ length: options.workers }, () => pool.#add()))
      return pool
    } catch (error) {
      await pool.stop()
      throw error
    }
  }

  /** Resolves once every worker has finished its requests and exited. */
  async stop(): Promise<void> {
    this.#isStopping = true
    await Promise.all(
      Array.from(this.#workers, async ([worker, { send }]) => {
        const exit = once(worker, 'exit')
        send({ kind: 'stop' })
        await exit
      }),
    )
  }

  /** Resolves once the new worker listens. @throws WorkerStartError */
  async #add(): Promise<void> {
    const { port, lingerMs } = this.#options
    const worker = fork(program, [String(port), String(lingerMs)])
    const channel = channelTo(worker)
    this.#workers.set(worker, channel)
    await new Promise<void>((resolve, reject) => {
      let isListening = false
      channel.listen((message) => {
        if (message.kind === 'listening') {
          isListening = true
          this.address = message.address
          if (this.#damage) channel.send(this.#damage)
          resolve()
        }
        if (message.kind === 'aggregate requested') void this.#sendMetrics(channel, message.id)
        if (message.kind === 'damage found') this.#broadcast(message)
      })
      worker.once('exit', (code, signal) => {
        this.#workers.delete(worker)
        if (code === diskFailed) return this.#abort()
        if (isListening && !this.#isStopping) void this.#restart({ code, signal })
        reject(new WorkerStartError())
      })
      worker.on('error', (error) => {
        // A spawned process is handled by its exit.
        if (worker.pid !== undefined) return
        this.#workers.delete(worker)
        reject(new WorkerStartError(error))
      })
    })
  }

  async #sendMetrics({ send }: WorkerChannel, id: number): Promise<void> {
    send({ kind: 'aggregate', id, text: await this.#metrics() })
  }

  #broadcast(damage: DamageFound): void {
    if (this.#damage) return
    this.#damage = damage
    for (const { send } of this.#workers.values()) send(damage)
  }

  async #restart(exit: { code: number | null; signal: NodeJS.Signals | null }): Promise<void> {
    const { log } = this.#options
    log.error(exit, 'worker exited; restarting')
    while (!this.#isStopping) {
      await sleep(restartDelayMs)
      if (this.#isStopping) return
      try {
        return await this.#add()
      } catch (err) {
        log.error({ err }, 'worker failed to start; retrying')
      }
    }
  }

  /** Writes of the other workers may not be durable either, so none of them may acknowledge any more. */
  #abort(): void {
    this.#isStopping = true
    for (const worker of this.#workers.keys()) worker.kill('SIGKILL')
    this.#options.onSyncError(new Error('a sync failed in a worker'))
  }
}

const channelTo = (worker: ChildProcess): WorkerChannel => ({
  // Messages to a worker that is exiting are dropped.
  send: (message: ToWorker) => void (worker.connected && worker.send(message, () => {})),
  listen: (handle: (message: FromWorker) => void) => {
    const listener = (message: unknown) => handle(message as FromWorker)
    worker.on('message', listener)
    return () => void worker.off('message', listener)
  },
})
