import type { BackupStore } from './backup-store.ts'
import { objectsOf, readCatalog } from './catalog.ts'
import { DamagedBackup } from './damaged-backup.ts'
import { readManifest } from './manifest.ts'
import { isLedgerObject } from './object-names.ts'
import { selectRetained } from './retention.ts'

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
