import type { FastifyBaseLogger } from 'fastify'
import type { Context } from '../../context.ts'
import { dayMs, hourMs } from '../../core/time-units.ts'
import { newestChanges } from '../../log/changes/log.ts'
import { findSecret, replaceSecret } from '../../storage/db/stored-secret.ts'
import type { Db } from '../../storage/db/tables.ts'

/** How often a server looks at the clock. */
export const lookMs = hourMs

/** The clock as servers have seen it; times are in milliseconds since 1970. */
interface SeenClock {
  /** The time of the last look, by any server. */
  seenAt: number
  /** When it was last found to have jumped; absent if never. */
  jumpedAt?: number
}

/** Among the secrets, which a move or a backup leaves behind. */
const name = 'seen_clock'

async function findStored(db: Db): Promise<SeenClock | undefined> {
  const value = await findSecret(db, name)
  return value === undefined ? undefined : (JSON.parse(value) as SeenClock)
}

/** When a server last looked at its clock, in milliseconds since 1970; undefined if none has. */
export const findLastLook = async (db: Db): Promise<number | undefined> => (await findStored(db))?.seenAt

/** Before the first look, the newest change shows the time. @returns undefined for an empty summit */
async function findSeen(db: Db): Promise<SeenClock | undefined> {
  const [stored, [newest]] = [await findStored(db), await newestChanges(db, 1)]
  return stored ?? (newest && { seenAt: newest.at })
}

/**
 * Whether the clock differs by more than a day from what a server expects that looks at it every hour. Between two
 * processes, which may run on two machines, a clock that was set by less looks the same as a pause. Within a process, the
 * {@link ClockWatch} knows.
 */
const hasJumped = ({ seenAt }: SeenClock, now: number): boolean => Math.abs(now - (seenAt + lookMs)) > dayMs

/**
 * Whether the clock can be trusted with what cannot be undone: it has not jumped by more than a day since a server last
 * saw it, and within the last day it neither did so nor was set by more than an hour while a server ran. A clock that is
 * wrong looks the same as a summit that no server has served for days.
 */
export async function isClockSteady(db: Db, now: number): Promise<boolean> {
  const seen = await findSeen(db)
  if (!seen) return true
  const isDayAgo = seen.jumpedAt === undefined || now - seen.jumpedAt >= dayMs
  return isDayAgo && !hasJumped(seen, now)
}

/**
 * Looks at the clock and stores what it shows, for all servers and later starts. A jump is logged. Call it every
 * {@link lookMs}; several servers and jobs may do so.
 * @returns whether the clock is steady: see {@link isClockSteady}
 */
export async function lookAtClock(
  { database, clock, clockWatch }: Pick<Context, 'database' | 'clock' | 'clockWatch'>,
  log: Pick<FastifyBaseLogger, 'warn'>,
): Promise<boolean> {
  const now = clock()
  const step = clockWatch.findStep(now)
  const last = await findStored(database.read)
  // Another job or server has just looked at it.
  if (step !== 0 || !last || Math.abs(now - last.seenAt) >= lookMs / 2) {
    const before = await database.transaction((tx) => storeLook(tx, now, step !== 0))
    if (step !== 0) clockWatch.accept(now)
    if (before !== undefined)
      log.warn(
        { before: new Date(before), now: new Date(now) },
        `${describeJump(before, now, step)}; if it is wrong, set it. For a day, nobody is erased by ERASE_PERSONAL_DATA_AFTER, and ` +
          'nothing that has expired is deleted',
      )
  }
  return isClockSteady(database.read, now)
}

/** @param step see `ClockWatch.findStep` */
function describeJump(before: number, now: number, step: number): string {
  const [then, time] = [new Date(before).toISOString(), new Date(now).toISOString()]
  if (step === 0 && now > before)
    return `no server is known to have run since ${then}, or the clock was set forward to ${time}`
  const direction = (step || now - before) < 0 ? 'back' : 'forward'
  return `the clock was set ${direction}: it showed ${then} at the last look, and shows ${time}`
}

/** @param wasSet while this process ran @returns the time of the look before, if the clock has jumped since */
async function storeLook(tx: Db, now: number, wasSet: boolean): Promise<number | undefined> {
  const seen = await findSeen(tx)
  // Another job of this process may just have stored it.
  const isKnown = seen?.jumpedAt !== undefined && Math.abs(now - seen.jumpedAt) < lookMs / 2
  const isJump = seen !== undefined && ((wasSet && !isKnown) || hasJumped(seen, now))
  const jumpedAt = isJump ? now : seen?.jumpedAt
  await replaceSecret(tx, name, JSON.stringify({ seenAt: now, ...(jumpedAt !== undefined && { jumpedAt }) }))
  return isJump ? seen.seenAt : undefined
}
