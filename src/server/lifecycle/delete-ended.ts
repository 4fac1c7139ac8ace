import type { FastifyBaseLogger } from 'fastify'
import { deleteEndedCredentials } from '../access/ended-credentials.ts'
import type { Context } from '../context.ts'
import { dayMs } from '../core/time-units.ts'

/** Time from a start to the first deletion: a start has more urgent work. */
const firstMs = 10_000

/**
 * Deletes sessions and invitations that ended long ago, after a start and every day.
 * @returns a function that stops it
 */
export function scheduleDeletion(ctx: Context, log: FastifyBaseLogger): () => Promise<void> {
  if (ctx.config.access === 'open') return async () => {}
  let isStopped = false
  let running = Promise.resolve()
  const run = () => {
    running = deleteEndedCredentials(ctx, () => isStopped).catch((err: unknown) =>
      log.error({ err }, 'sessions that ended long ago were not deleted; will retry tomorrow'),
    )
  }
  const first = setTimeout(run, firstMs).unref()
  const daily = setInterval(run, dayMs).unref()
  return async () => {
    isStopped = true
    clearTimeout(first)
    clearInterval(daily)
    await running
  }
}
