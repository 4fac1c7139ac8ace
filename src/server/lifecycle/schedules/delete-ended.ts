import type { FastifyBaseLogger } from 'fastify'
import { deleteOldCodes } from '../../auth/codes.ts'
import { deleteEndedCredentials } from '../../auth/credentials.ts'
import { deleteExpiredChallenges } from '../../auth/passkeys/store.ts'
import type { Context } from '../../context.ts'
import { deleteOldResponses } from '../../log/idempotency/stored-responses.ts'
import { lookAtClock, lookMs } from './seen-clock.ts'

/** Time from a start to the first deletion: a start has more urgent work. */
const firstMs = 10_000

/** Deletes what sign-ins and retries have left behind, after a start and every hour. @returns a function that stops it */
export function scheduleDeletion(ctx: Context, log: FastifyBaseLogger): () => Promise<void> {
  let isStopped = false
  let running = Promise.resolve()
  // Where no participant signs in, a clock that jumps postpones the deletion of little more than stored responses.
  const clockLog = ctx.config.access === 'open' ? { warn: log.info.bind(log) } : log
  const run = () => {
    running = deleteIfSteady(ctx, clockLog, () => isStopped).catch((err: unknown) =>
      log.error(
        { err },
        'sessions, codes, challenges and stored responses that ended were not deleted; will retry within the hour',
      ),
    )
  }
  const first = setTimeout(run, firstMs).unref()
  const hourly = setInterval(run, lookMs).unref()
  return async () => {
    isStopped = true
    clearTimeout(first)
    clearInterval(hourly)
    await running
  }
}

/** Deletes nothing while the clock may be wrong: once it is right, what has ended by it can be used again. */
export async function deleteIfSteady(
  ctx: Pick<Context, 'database' | 'clock' | 'clockWatch'>,
  log: Pick<FastifyBaseLogger, 'warn'>,
  isStopped: () => boolean = () => false,
): Promise<void> {
  if (await lookAtClock(ctx, log)) await deleteEnded(ctx, isStopped)
}

/**
 * Deletes sessions and invitations that ended long ago, and codes, challenges and stored responses that are of no use any
 * more or that a wrong clock has dated in the future.
 * @param isStopped asked between short transactions
 */
export async function deleteEnded(
  ctx: Pick<Context, 'database' | 'clock'>,
  isStopped: () => boolean = () => false,
): Promise<void> {
  await deleteEndedCredentials(ctx, isStopped)
  const { database, clock } = ctx
  for (const deleteSome of [deleteOldCodes, deleteExpiredChallenges, deleteOldResponses])
    while (!isStopped() && (await database.transaction((tx) => deleteSome(tx, clock()))) > 0);
}
