import type { FastifyBaseLogger } from 'fastify'
import type { Context } from '../context.ts'
import { dayMs, hourMs } from '../core/time-units.ts'
import type { Database } from '../db/open.ts'
import { removePreviousCopies } from '../db/previous-copies.ts'
import { deleteSecret, findSecret, replaceSecret } from '../db/stored-secret.ts'
import type { Db } from '../db/tables.ts'
import { eraseEveryone } from '../privacy/erase.ts'

/** Days of warnings before, for any date: it may be mistyped, or have passed when it is first set. */
export const noticeDays = 14

/** The notice of a date, stored for all servers and later starts. */
interface Notice {
  /** The value of ERASE_PERSONAL_DATA_AFTER. */
  after: string
  /** When a server first had this value; in milliseconds since 1970. */
  noticedAt: number
  isErased: boolean
}

/**
 * The name of the notice among the secrets, which a move or a backup leaves behind: there, the warnings begin again.
 */
const name = 'erase_personal_data'

/** @returns the notice of this date; undefined if no server has had it yet */
async function findNotice(db: Db, after: string): Promise<Notice | undefined> {
  const value = await findSecret(db, name)
  const notice = value === undefined ? undefined : (JSON.parse(value) as Notice)
  return notice?.after === after ? notice : undefined
}

/** What becomes of the personal data of participants; days are `YYYY-MM-DD`. */
export type Retention = { state: 'kept' } | { state: 'erased' } | { state: 'planned' | 'announced' | 'due'; on: string }

/** @param dateOf the day of a time */
export async function readRetention(
  db: Db,
  after: string | undefined,
  now: number,
  dateOf: (ms: number) => string,
): Promise<Retention> {
  if (after === undefined) return { state: 'kept' }
  const notice = await findNotice(db, after)
  if (notice?.isErased) return { state: 'erased' }
  const nextDay = new Date(Date.parse(after) + dayMs).toISOString().slice(0, 10)
  const noticed = dateOf((notice?.noticedAt ?? now) + noticeDays * dayMs)
  const on = nextDay > noticed ? nextDay : noticed
  if (dateOf(now) >= on) return { state: 'due', on }
  return { state: dateOf(now + noticeDays * dayMs) >= on ? 'announced' : 'planned', on }
}

const storeNotice = (database: Database, notice: Notice): Promise<void> =>
  database.transaction((tx) => replaceSecret(tx, name, JSON.stringify(notice)))

/** So that a date which is set again has its whole notice again. */
export async function forgetNotice(database: Database): Promise<void> {
  if ((await findSecret(database.read, name)) !== undefined) await database.transaction((tx) => deleteSecret(tx, name))
}

/**
 * Erases all participants if ERASE_PERSONAL_DATA_AFTER has passed, once for each value of it, and never without
 * {@link noticeDays} of notice. Several servers may do this at once.
 * @param isStopped asked between participants; what is left is erased later
 */
export async function applyRetention(ctx: Context, isStopped: () => boolean = () => false): Promise<Retention> {
  const { config, database, clock, timestamp } = ctx
  const after = config.erasePersonalDataAfter
  const dateOf = (ms: number) => timestamp(ms).slice(0, 10)
  const retention = await readRetention(database.read, after, clock(), dateOf)
  if (after === undefined || retention.state === 'kept' || retention.state === 'erased') return retention
  const stored = await findNotice(database.read, after)
  const notice = stored ?? { after, noticedAt: clock(), isErased: false }
  if (retention.state !== 'due') {
    if (!stored) await storeNotice(database, notice)
    return retention
  }
  await eraseEveryone(ctx, isStopped)
  if (isStopped()) return retention
  if (config.database.kind === 'folder') await removePreviousCopies(config.database.dir)
  await storeNotice(database, { ...notice, isErased: true })
  return { state: 'erased' }
}

/** How often the date is looked at. */
const intervalMs = hourMs

/** The first look after a start, which has more urgent work. */
const firstMs = 10_000

/** Erases all participants when it is time, and warns once a day before. @returns a function that stops it */
export function scheduleRetention(ctx: Context, log: FastifyBaseLogger): () => Promise<void> {
  if (ctx.config.erasePersonalDataAfter === undefined) {
    const forgetting = forgetNotice(ctx.database).catch((err: unknown) =>
      log.error({ err }, 'the notice of ERASE_PERSONAL_DATA_AFTER was not removed'),
    )
    return () => forgetting
  }
  let isStopped = false
  let isErased = false
  let warnedAt = Number.NEGATIVE_INFINITY
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout

  const look = async () => {
    const { state, ...rest } = await applyRetention(ctx, () => isStopped)
    if (state === 'erased' && !isErased)
      log.info('all participants were erased, as ERASE_PERSONAL_DATA_AFTER has passed')
    isErased = state === 'erased'
    if (state !== 'announced' || ctx.clock() - warnedAt < dayMs) return
    warnedAt = ctx.clock()
    log.warn(rest, 'all participants will be erased on this day; to prevent it, unset ERASE_PERSONAL_DATA_AFTER')
  }
  const run = async () => {
    running = look().catch((err: unknown) => log.error({ err }, 'participants not erased; will retry within the hour'))
    await running
    if (!isStopped) timer = setTimeout(run, intervalMs).unref()
  }
  timer = setTimeout(run, firstMs).unref()

  return async () => {
    isStopped = true
    clearTimeout(timer)
    await running
  }
}
