import { dayMs } from '../../server/core/time-units.ts'
import { findLastLook } from '../../server/lifecycle/schedules/seen-clock.ts'
import { findPictureProblem } from '../../server/lifecycle/start/picture-check.ts'
import { readDatabaseState } from '../../server/storage/db/database-state.ts'
import { type Check, type Diagnosis, orOk, problem, warning } from './diagnosis.ts'

const maxOffsetMs = 2_000

/** The header `Date` has whole seconds. */
const dateErrorMs = 500

/** A clock outside this range was never set. */
const [earliest, latest] = [Date.UTC(2025, 0), Date.UTC(2100, 0)]

/** Whether the clock of this machine is plausible, and agrees with those of others. */
export const checkClock: Check = async ({ loaded: { config }, database, publicResponse }) => {
  const now = Date.now()
  const time = new Date(now).toISOString()
  if (now < earliest || now > latest)
    return [
      problem(
        `The clock of this machine is wrong: it says ${time}. Set it, for example with NTP, before a server writes.`,
      ),
    ]
  const state = await readDatabaseState(config.database).catch(() => undefined)
  const response = await publicResponse?.catch(() => undefined)
  const lastLook = database && (await findLastLook(database.read))
  const isBehind = lastLook !== undefined && lastLook > now + dayMs
  return orOk(
    [
      ...(isBehind
        ? [
            warning(
              `The clock of this machine says ${time}, but a server ran at ${new Date(lastLook).toISOString()}: it is wrong ` +
                'now, or was then. Set it, for example with NTP.',
            ),
          ]
        : []),
      ...compareClocks('the database server', state?.server?.clockOffsetMs, maxOffsetMs),
      ...compareClocks('PUBLIC_URL', response?.clockOffsetMs, maxOffsetMs + dateErrorMs),
    ],
    time,
  )
}

function compareClocks(other: string, offsetMs: number | undefined, maxMs: number): Diagnosis[] {
  if (offsetMs === undefined || Math.abs(offsetMs) <= maxMs) return []
  const difference = `${(Math.abs(offsetMs) / 1000).toFixed(0)} s ${offsetMs > 0 ? 'behind' : 'ahead of'}`
  return [
    warning(`The clock of this machine is ${difference} that of ${other}. Synchronize both, for example with NTP.`),
  ]
}

/** Whether pictures can be drawn. */
export const checkImages: Check = async () => {
  const found = await findPictureProblem()
  return orOk(found === undefined ? [] : [problem(found)], 'can be drawn')
}
