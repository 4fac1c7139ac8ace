import { dayMs, hourMs } from '../core/time-units.ts'

/** The periods of which the newest backup is retained: hours, days, and weeks. */
const periods = [
  { ms: hourMs, count: 24 },
  { ms: dayMs, count: 7 },
  { ms: 7 * dayMs, count: 4 },
]

/** The properties of a backup that determine its retention. */
export interface DatedBackup {
  readonly id: string
  /** In milliseconds since 1970. */
  readonly createdAt: number
  /** Whether a verification found that it cannot be restored. */
  readonly isDamaged: boolean
  /** Whether the server made it because it was due. */
  readonly isScheduled: boolean
}

/** A backup that the operator made, as before an import, or that an upgrade made, is kept at least this long. */
const unscheduledMs = 7 * dayMs

/** Parts of a damaged backup may still be of use, so it is retained this long. */
const damagedMs = 28 * dayMs

/**
 * Selects the backups to retain: the newest of each of the last 24 hours, 7 days and 4 weeks that have one. The newest
 * of all is always among them. Damaged ones do not count, so that the last sound one is never removed.
 */
export function selectRetained(backups: readonly DatedBackup[]): Set<string> {
  const newestFirst = backups.filter(({ isDamaged }) => !isDamaged).sort((a, b) => b.createdAt - a.createdAt)
  const newest = newestFirst[0]?.createdAt ?? 0
  const leastMs = ({ isDamaged, isScheduled }: DatedBackup): number =>
    isDamaged ? damagedMs : isScheduled ? 0 : unscheduledMs
  const retained = new Set(backups.filter((one) => one.createdAt > newest - leastMs(one)).map(({ id }) => id))
  for (const { ms, count } of periods) {
    const seen = new Set<number>()
    for (const { id, createdAt } of newestFirst) {
      const period = Math.floor(createdAt / ms)
      if (seen.has(period)) continue
      if (seen.size === count) break
      seen.add(period)
      retained.add(id)
    }
  }
  return retained
}
