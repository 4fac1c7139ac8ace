import type { FastifyBaseLogger } from 'fastify'
import type { Context } from '../../context.ts'
import { minuteMs } from '../../core/time-units.ts'
import { finishErasures, rebuildIfDue } from '../../domains/privacy/finish-erasures.ts'

/**
 * Does what erasures have left to do, at once and every minute: of processes that have ended, and what has failed.
 * @returns a function that stops this
 */
export function scheduleErasures(ctx: Context, log: FastifyBaseLogger): () => Promise<void> {
  let isStopped = false
  const run = async (isStart: boolean) => {
    for (const work of [() => finishErasures(ctx, { isStopped: () => isStopped }), () => rebuildIfDue(ctx, isStart)])
      if (!isStopped)
        await work().catch((err: unknown) =>
          log.error({ err }, 'an erasure left data that could not be removed; will retry in a minute'),
        )
  }
  let running = run(true)
  const timer = setInterval(() => {
    running = running.then(() => run(false))
  }, minuteMs).unref()
  return async () => {
    isStopped = true
    clearInterval(timer)
    await running
  }
}
