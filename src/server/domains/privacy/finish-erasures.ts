import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import type { ParticipantId } from '../../core/ids.ts'
import { minuteMs } from '../../core/time-units.ts'
import { eraseSomeResponses } from '../../log/idempotency/erase.ts'
import { tryLockForMaintenance } from '../../storage/db/locks.ts'
import { removeOrphans } from '../orphans/orphans.ts'
import { photoFolder } from '../participants/photos.ts'
import { deleteSteps, type ErasureStep, stepsAfter } from './steps-store.ts'

/** Steps that are done at once. A server that stops waits for them. */
const batchSize = 50

interface FinishOptions {
  /** The one whose erasure is finished; by default all that are left. */
  participant?: ParticipantId
  /** Asked before every few steps; what is left is done later. */
  isStopped?: () => boolean
}

/**
 * Does what erasures have left to do beside the rebuild of the database: deletes stored responses, then files and photos.
 * Several processes may do this at once. While a backup copies files, these stay for the next attempt.
 * @throws AggregateError with the reasons why some steps failed; their rows stay
 */
export async function finishErasures(
  ctx: Context,
  { participant, isStopped = () => false }: FinishOptions = {},
): Promise<void> {
  const errors: unknown[] = []
  const attempt = (work: Promise<void>) => work.catch((error: unknown) => void errors.push(error))
  for (let after = 0, count = batchSize; count === batchSize && !isStopped(); ) {
    const kinds = ['responses', 'photos', 'file'] as const
    const steps = await stepsAfter(ctx.database.read, after, batchSize, kinds, participant)
    const { responses = [], files = [] } = Object.groupBy(steps, ({ kind }) =>
      kind === 'responses' ? 'responses' : 'files',
    )
    await attempt(eraseResponses(ctx, responses, isStopped))
    if (!isStopped()) await attempt(removeFiles(ctx, files))
    count = steps.length
    after = steps.at(-1)?.id ?? after
  }
  if (errors.length > 0) throw new AggregateError(errors, 'Not everything that an erasure leaves was removed.')
}

/** The same for one participant, before a response, which waits no longer for files: they are removed later. */
export const finishSoon = async (ctx: Context, participant: ParticipantId): Promise<void> =>
  Promise.race([finishErasures(ctx, { participant }), sleep(maxWaitMs, undefined, { ref: false })])

/** As while the store is down. */
const maxWaitMs = 5_000

/** In short transactions: there may be very many. */
async function eraseResponses(
  { database }: Context,
  steps: readonly ErasureStep[],
  isStopped: () => boolean,
): Promise<void> {
  if (steps.length === 0) return
  const participants = steps.map(({ participant_id }) => participant_id)
  const done = steps.map(({ id }) => id)
  const eraseSome = () =>
    database.transaction(async (tx) => {
      const isMore = await eraseSomeResponses(tx, participants)
      if (!isMore) await deleteSteps(tx, done)
      return isMore
    })
  while (!isStopped() && (await eraseSome()));
}

async function removeFiles(ctx: Context, steps: readonly ErasureStep[]): Promise<void> {
  if (steps.length === 0) return
  const release = await tryLockForMaintenance(ctx.config.database)
  if (!release) return
  try {
    const keys: string[] = []
    for (const { kind, participant_id, blob_key } of steps)
      if (kind === 'file') keys.push(blob_key)
      else for await (const { key } of ctx.blobs.list(photoFolder(participant_id))) keys.push(key)
    await removeOrphans(ctx, keys)
    const done = steps.map(({ id }) => id)
    await ctx.database.transaction((tx) => deleteSteps(tx, done))
  } finally {
    await release()
  }
}

/** Minutes from an erasure to the end of the rebuild, unless a backup, or a long read, postpones it. */
export const rebuildMinutes = 10

/** How long a rebuild waits for further erasures to share it with: it takes seconds, in which all writes wait. */
const sharedMs = 5 * minuteMs

/**
 * Rebuilds the file of the database once for all erasures so far, when the first of them is old enough.
 * @param atOnce whether it need not wait for others, as at a start
 */
export async function rebuildIfDue(ctx: Context, atOnce = false): Promise<void> {
  const { database, clock, config } = ctx
  const steps = await stepsAfter(database.read, 0, Number.MAX_SAFE_INTEGER, ['rebuild'])
  const [first] = steps
  if (!first) return
  const waited = clock() - first.created_at
  // A clock that was put back must not postpone it.
  if (!atOnce && waited >= 0 && waited < sharedMs) return
  // A backup reads a state of the database, and nothing is left of that only when it is done.
  const release = await tryLockForMaintenance(config.database)
  if (!release) return
  try {
    await database.scrub()
    const done = steps.map(({ id }) => id)
    await database.transaction((tx) => deleteSteps(tx, done))
  } finally {
    await release()
  }
}
