import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../../config/config.ts'
import type { Context } from '../../context.ts'
import { dayMs } from '../../core/time-units.ts'
import { eraseEveryone } from '../../domains/privacy/erase.ts'
import type { Database } from '../../storage/db/open.ts'
import { removePreviousCopies } from '../../storage/db/previous-copies.ts'
import { deleteSecret, findSecret, replaceSecret } from '../../storage/db/stored-secret.ts'
import type { Db } from '../../storage/db/tables.ts'
import { isClockSteady, lookAtClock, lookMs } from './seen-clock.ts'

/** Warnings before, on as many days, for any date: it may be mistyped, or have passed when it is first set. */
export const noticeDays = 14

/** The notice of a date, stored for all servers and later starts. */
interface Notice {
  /** The value of ERASE_PERSONAL_DATA_AFTER. */
  after: string
  /** The days on which a server has warned, `YYYY-MM-DD`. Absent in one that an older version has stored. */
  warnedOn?: string[]
  isErased: boolean
}

/**
 * The name of the notice among the secrets, which a move or a backup leaves behind: there, the warnings begin again.
 */
const name = 'erase_personal_data'

/** @returns the notice of this date; a new one if no server has had it yet */
async function findNotice(db: Db, after: string): Promise<Notice> {
  const value = await findSecret(db, name)
  const notice = value === undefined ? undefined : (JSON.parse(value) as Notice)
  return notice?.after === after ? notice : { after, isErased: false }
}

/** The state of the personal data of participants; days are `YYYY-MM-DD`. */
export type Retention =
  | { state: 'disabled' }
  | { state: 'erased' }
  | {
      state: 'planned' | 'announced' | 'due'
      /** The first day on which they may be erased. */
      on: string
      /** Warnings that have to be logged before, each on another day. */
      warningsLeft: number
      /** Whether one that is logged today counts. */
      isWarningDay: boolean
    }

/** @param dateOf the day of a time */
export async function readRetention(
  db: Db,
  after: string | undefined,
  now: number,
  dateOf: (ms: number) => string,
): Promise<Retention> {
  if (after === undefined) return { state: 'disabled' }
  const { isErased, warnedOn = [] } = await findNotice(db, after)
  if (isErased) return { state: 'erased' }
  const today = dateOf(now)
  const warningsLeft = Math.max(0, noticeDays - warnedOn.length)
  const isSteady = await isClockSteady(db, now)
  const isWarningDay = isSteady && !warnedOn.includes(today)
  // A day of a warning, or on which the clock has jumped, is not yet one on which participants are erased.
  const noticed = addDays(today, isWarningDay ? warningsLeft : warningsLeft + 1)
  const nextDay = addDays(after, 1)
  const on = nextDay > noticed ? nextDay : noticed
  const state = today >= on ? 'due' : nextDay <= addDays(today, noticeDays) ? 'announced' : 'planned'
  return { state, on, warningsLeft, isWarningDay }
}

const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)

const storeNotice = (tx: Db, notice: Notice): Promise<void> => replaceSecret(tx, name, JSON.stringify(notice))

/** Counts a warning, once for each day. */
const countWarning = (database: Database, after: string, today: string): Promise<void> =>
  database.transaction(async (tx) => {
    const { warnedOn = [], ...notice } = await findNotice(tx, after)
    await storeNotice(tx, { ...notice, warnedOn: [...new Set([...warnedOn, today])] })
  })

/** So that a date which is set again, or was near only by a wrong clock, has its whole notice again. */
export async function forgetNotice(database: Database): Promise<void> {
  if ((await findSecret(database.read, name)) !== undefined) await database.transaction((tx) => deleteSecret(tx, name))
}

/** Whether the log shows warnings. Otherwise there is no notice, and nobody is erased. */
export const showsWarnings = ({ logLevel }: Pick<Config, 'logLevel'>): boolean =>
  logLevel !== 'silent' && logLevel !== 'error'

/**
 * Erases all participants if ERASE_PERSONAL_DATA_AFTER has passed, once for each value of it, and never without warnings
 * on {@link noticeDays} days, each while the clock was steady. Several servers may do this at once.
 * @param isStopped asked between participants; what is left is erased later
 */
export async function applyRetention(
  ctx: Context,
  log: Pick<FastifyBaseLogger, 'warn'>,
  isStopped: () => boolean = () => false,
): Promise<Retention> {
  const { config, database, clock, timestamp } = ctx
  const after = config.erasePersonalDataAfter
  if (after === undefined) return { state: 'disabled' }
  await lookAtClock(ctx, log)
  const now = clock()
  const dateOf = (ms: number) => timestamp(ms).slice(0, 10)
  const retention = await readRetention(database.read, after, now, dateOf)
  if (retention.state === 'planned') await forgetNotice(database)
  if (retention.state === 'announced' && retention.isWarningDay && showsWarnings(config)) {
    const { on, warningsLeft } = retention
    log.warn(
      { on, warningsLeft: Math.max(0, warningsLeft - 1) },
      'all participants will be erased on this day; to prevent it, unset ERASE_PERSONAL_DATA_AFTER',
    )
    await countWarning(database, after, dateOf(now))
  }
  if (retention.state !== 'due') return retention
  await eraseEveryone(ctx, isStopped)
  if (isStopped()) return retention
  if (config.database.kind === 'folder') await removePreviousCopies(config.database.dir)
  await database.transaction((tx) => storeNotice(tx, { after, isErased: true }))
  return { state: 'erased' }
}

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
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout

  const look = async () => {
    const { state } = await applyRetention(ctx, log, () => isStopped)
    if (state === 'erased' && !isErased)
      log.info('all participants were erased, as ERASE_PERSONAL_DATA_AFTER has passed')
    isErased = state === 'erased'
  }
  const run = async () => {
    running = look().catch((err: unknown) => log.error({ err }, 'participants not erased; will retry within the hour'))
    await running
    if (!isStopped) timer = setTimeout(run, lookMs).unref()
  }
  timer = setTimeout(run, firstMs).unref()

  return async () => {
    isStopped = true
    clearTimeout(timer)
    await running
  }
}
