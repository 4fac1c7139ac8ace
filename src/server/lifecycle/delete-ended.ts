import type { FastifyBaseLogger } from 'fastify'
import { deleteOldCodes } from '../access/codes.ts'
import { deleteEndedCredentials } from '../access/ended-credentials.ts'
import type { Context } from '../context.ts'
import { dayMs } from '../core/time-units.ts'
import { deleteExpiredChallenges } from '../passkeys/store.ts'

/** Time from a start to the first deletion: a start has more urgent work. */
const firstMs = 10_000

/** Deletes what sign-ins have left behind, after a start and every day. @returns a function that stops it */
export function scheduleDeletion(ctx: Context, log: FastifyBaseLogger): () => Promise<void> {
  if (ctx.config.access === 'open') return async () => {}
  let isStopped = false
  let running = Promise.resolve()
  const run = () => {
    running = deleteEnded(ctx, () => isStopped).catch((err: unknown) =>
      log.error({ err }, 'sessions, codes and challenges that ended were not deleted; will retry tomorrow'),
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

/**
 * Deletes sessions and invitations that ended long ago, and codes and challenges that are of no use any more.
 * @param isStopped asked between short transactions
 */
export async function deleteEnded(
  ctx: Pick<Context, 'database' | 'clock'>,
  isStopped: () => boolean = () => false,
): Promise<void> {
  await deleteEndedCredentials(ctx, isStopped)
  const { database, clock } = ctx
  for (const deleteSome of [deleteOldCodes, deleteExpiredChallenges])
    while (!isStopped() && (await database.transaction((tx) => deleteSome(tx, clock()))) > 0);
}
