import { dayMs, hourMs } from '../../core/time-units.ts'
import { DamagedBackup } from './backup-reader.ts'
import type { BackupStore } from './backup-store.ts'
import { isFromFuture, objectsOf, readCatalog } from './catalog.ts'
import { readManifest } from './manifest.ts'
import { isLedgerObject } from './object-names.ts'

/** The periods of which the newest backup is retained: hours, days, and weeks. */
const periods = [
  { ms: hourMs, count: 24 },
  { ms: dayMs, count: 7 },
  { ms: 7 * dayMs, count: 4 },
]

/** The properties of a backup that determine its retention. */
interface DatedBackup {
  readonly id: string
  /** In milliseconds since 1970. */
  readonly createdAt: number
  /** Whether a verification found that it cannot be restored. */
  readonly isDamaged: boolean
  /** Whether the server made it because it was due. */
  readonly isScheduled: boolean
}

/** A backup that the operator made, as before an import, or that an upgrade made, is retained for so many days. */
const unscheduledDays = 7

/** Parts of a damaged backup may still be of use, so it is retained for so many days. */
const damagedDays = 28

/**
 * Selects the backups to retain: the newest of each of the last 24 hours, 7 days and 4 weeks that have one, and likewise
 * the newest that the server made because it was due. The newest of all is always among them. Damaged ones do not count,
 * so that the last sound one is never removed, nor do those dated in the future, which are retained. Time is counted in
 * hours, days and weeks with backups, so that none expires by a clock that jumps ahead.
 * @param now in milliseconds since 1970
 */
export function selectRetained(backups: readonly DatedBackup[], now: number): Set<string> {
  const past = backups.filter((backup) => !isFromFuture(backup, now))
  const newestFirst = past.filter(({ isDamaged }) => !isDamaged).sort((a, b) => b.createdAt - a.createdAt)
  const retained = new Set(backups.filter((backup) => !past.includes(backup)).map(({ id }) => id))
  // One that the operator makes does not replace the one that was due in the same hour.
  for (const counted of [newestFirst, newestFirst.filter(({ isScheduled }) => isScheduled)])
    for (const { ms, count } of periods)
      for (const { id } of newestOfEach(counted, ms).slice(0, count)) retained.add(id)

  const daily = newestOfEach(newestFirst, dayMs)
  for (const { id, createdAt, isDamaged, isScheduled } of past) {
    const days = isDamaged ? damagedDays : isScheduled ? 0 : unscheduledDays
    if (daily.filter((later) => later.createdAt >= createdAt + dayMs).length < days) retained.add(id)
  }
  return retained
}

/** The newest of each period that has one, newest first. */
function newestOfEach(newestFirst: readonly DatedBackup[], ms: number): DatedBackup[] {
  const periodOf = ({ createdAt }: DatedBackup) => Math.floor(createdAt / ms)
  return newestFirst.filter((backup, index) => {
    const before = newestFirst[index - 1]
    return !before || periodOf(before) !== periodOf(backup)
  })
}

/** The outcome of removing expired backups. */
export interface Expiry {
  /** Ids of the backups that were removed. */
  expired: string[]
  /** Ids of backups that cannot be read. While there are any, nothing is removed: their files are unknown. */
  unreadable: string[]
}

/**
 * Removes expired backups, and the objects of interrupted ones. The manifest goes first, because a backup exists as
 * long as its manifest does.
 * @param now in milliseconds since 1970
 */
export async function removeExpired(store: BackupStore, now: number): Promise<Expiry> {
  const objects = await store.list()
  const entries = await readCatalog(store, objects)
  const unreadable = entries.filter(({ summary }) => !summary).map(({ id }) => id)
  if (unreadable.length > 0) return { expired: [], unreadable }
  const backups = entries.flatMap(({ summary, damage }) =>
    summary ? [{ ...summary, isDamaged: damage !== undefined }] : [],
  )
  const retained = selectRetained(backups, now)
  const used = new Set<string>()
  for (const id of retained) {
    const manifest = await readManifest(store, id).catch(ifDamaged)
    if (!manifest) return { expired: [], unreadable: [id] }
    for (const name of objectsOf(store, manifest)) used.add(name)
  }
  const expired = backups.filter(({ id }) => !retained.has(id)).map(({ id }) => id)
  for (const id of expired) await store.remove(`${id}/manifest.json`)
  for (const name of objects.keys()) if (!used.has(name) && !isLedgerObject(name)) await store.remove(name)
  return { expired, unreadable }
}

/** The manifest was readable a moment ago. */
function ifDamaged(error: unknown): undefined {
  if (!(error instanceof DamagedBackup)) throw error
}
