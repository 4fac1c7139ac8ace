import { dayMs, hourMs, minuteMs } from '../core/time-units.ts'
import type { Row } from '../storage/db/tables.ts'

/** A session of an organizer ends after this time at the latest. */
export const organizerSessionMs = 7 * dayMs

/** How the uses of a credential are recorded, and when it ends without them; in milliseconds. */
export interface UseLimits {
  /** The precision with which the last use is stored. */
  recordedEveryMs: number
  /** A credential ends if it is not used for this long. */
  idleMs: number
}

const ofOrganizers: UseLimits = { recordedEveryMs: 5 * minuteMs, idleMs: 8 * hourMs }
const ofParticipants: UseLimits = { recordedEveryMs: hourMs, idleMs: 30 * dayMs }

/** No session that was unused for longer can be used. */
export const longestIdleMs = Math.max(ofOrganizers.idleMs, ofParticipants.idleMs)

const ofKeys: UseLimits = { recordedEveryMs: hourMs, idleMs: Number.POSITIVE_INFINITY }

/** Whether it has ended because it was not used. */
export const isIdle = (
  credential: Pick<Row<'credential'>, 'kind' | 'organizer_id' | 'used_at'>,
  now: number,
): boolean => isUnused(credential.used_at, useLimitsOf(credential), now)

/**
 * A use that lies as far in the future was recorded by a wrong clock: a session that began then would otherwise last until
 * that time.
 */
export const isUnused = (usedAt: number, { idleMs }: UseLimits, now: number): boolean => Math.abs(now - usedAt) > idleMs

export function useLimitsOf({ kind, organizer_id }: Pick<Row<'credential'>, 'kind' | 'organizer_id'>): UseLimits {
  if (kind !== 'session') return ofKeys
  return organizer_id === 0 ? ofParticipants : ofOrganizers
}
