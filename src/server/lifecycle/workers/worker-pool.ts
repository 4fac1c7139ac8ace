import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyBaseLogger } from 'fastify'
import type { Registry } from 'prom-client'
import { coalesce } from '../../core/coalesce.ts'
import { OperatorError } from '../../core/operator-error.ts'
import { type Asked, aggregateMetrics } from './aggregate-metrics.ts'
import { diskFailed } from './exit-codes.ts'
import type { DamageFound, FromWorker, ToWorker } from './messages.ts'

const program = fileURLToPath(new URL('main.ts', import.meta.url))

/** How long after one that ended by itself the next is started, so that one that cannot start takes no core. */
const restartMs = 1_000

export interface WorkerPoolOptions {
  workers: number
  /** Free: sharing it with whoever else listens there would let a stranger's workers in. */
  port: number
  lingerMs: number
  log: FastifyBaseLogger
  /** What this process counts itself. */
  registry: Registry
  /** The disk of a worker failed to sync; by then none of them runs any more. */
  onSyncError: (error: Error) => void
}

/** A worker could not start. */
export class NoWorker extends OperatorError {
  override readonly name = 'NoWorker'

  /** @param why the system let it not begin; one that began has said so itself */
  constructor(why?: Error) {
    super(`A worker could not start${why ? `: ${why.message}` : ''}.`, { cause: why })
  }
}

/**
 * Processes that answer requests at one address. Each accepts its own connections; they share nothing but the database,
 * which is what keeps them at one, and the files. One that ends by itself is replaced.
 */
export class WorkerPool {
  readonly #options: WorkerPoolOptions
  readonly #members = new Map<ChildProcess, Asked>()
  /** Two hundred who ask together would be two hundred listeners on each worker. */
  readonly #metrics = coalesce(() => aggregateMetrics(this.#members.values(), this.#options.registry))
  #isStopping = false
  #damage: DamageFound | undefined
  /** Where they listen, as a URL without a slash at the end. */
  address = ''

  private constructor(options: WorkerPoolOptions) {
    this.#options = options
  }

  /** @throws NoWorker */
  static async start(options: WorkerPoolOptions): Promise<WorkerPool> {
    const crew = new WorkerPool(options)
    try {
      await Promise.all(Array.from({ length: options.workers }, () => crew.#add()))
      return crew
    } catch (error) {
      await crew.stop()
      throw error
    }
  }

  /** Resolves once each has answered the requests under way and ended. */
  async stop(): Promise<void> {
    this.#isStopping = true
    await Promise.all(
      Array.from(this.#members, async ([member, { say }]) => {
        const exit = once(member, 'exit')
        say({ kind: 'stop' })
        await exit
      }),
    )
  }

  /** Resolves once the new one listens. @throws NoWorker, or at once what forking fails with */
  async #add(): Promise<void> {
    const { port, lingerMs } = this.#options
    const member = fork(program, [String(port), String(lingerMs)])
    const asked = asAsked(member)
    this.#members.set(member, asked)
    await new Promise<void>((resolve, reject) => {
      let listens = false
      asked.listen((message) => {
        if (message.kind === 'listening') {
          listens = true
          this.address = message.address
          if (this.#damage) asked.say(this.#damage)
          resolve()
        }
        if (message.kind === 'metrics of all wanted') void this.#tellMetrics(asked, message.id)
        if (message.kind === 'damage found') this.#passOn(message)
      })
      member.once('exit', (code, signal) => {
        this.#members.delete(member)
        if (code === diskFailed) return this.#abandon()
        if (listens && !this.#isStopping) void this.#replace({ code, signal })
        reject(new NoWorker())
      })
      member.on('error', (error) => {
        // One that has begun tells by its exit what matters.
        if (member.pid !== undefined) return
        this.#members.delete(member)
        reject(new NoWorker(error))
      })
    })
  }

  async #tellMetrics({ say }: Asked, id: number): Promise<void> {
    say({ kind: 'metrics of all', id, text: await this.#metrics() })
  }

  #passOn(damage: DamageFound): void {
    if (this.#damage) return
    this.#damage = damage
    for (const { say } of this.#members.values()) say(damage)
  }

  async #replace(exit: { code: number | null; signal: NodeJS.Signals | null }): Promise<void> {
    const { log } = this.#options
    log.error(exit, 'a worker ended; another takes its place')
    while (!this.#isStopping) {
      await sleep(restartMs)
      if (this.#isStopping) return
      try {
        return await this.#add()
      } catch (err) {
        log.error({ err }, 'the other could not start')
      }
    }
  }

  /** What the others have written since may not be kept either, so none of them may say that it is. */
  #abandon(): void {
    this.#isStopping = true
    for (const member of this.#members.keys()) member.kill('SIGKILL')
    this.#options.onSyncError(new Error('a worker could not sync'))
  }
}

const asAsked = (member: ChildProcess): Asked => ({
  // One that is ending hears nothing any more.
  say: (message: ToWorker) => void (member.connected && member.send(message, () => {})),
  listen: (take: (message: FromWorker) => void) => {
    const listener = (message: unknown) => take(message as FromWorker)
    member.on('message', listener)
    return () => void member.off('message', listener)
  },
})
