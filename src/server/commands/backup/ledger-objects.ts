import { randomBytes } from 'node:crypto'
import { formatEntries, mergeEntries, parseEntries, type StoredEntry } from '../../log/ledger/entries.ts'
import { type BackupReader, DamagedBackup, readHashed, withHash } from './backup-reader.ts'
import type { BackupStore } from './backup-store.ts'
import { isLedgerObject } from './object-names.ts'

/**
 * Reads the ledger of a location.
 * @returns undefined if there is none
 * @throws DamagedBackup
 */
export async function readLedger(store: BackupReader): Promise<StoredEntry[] | undefined> {
  const names = await listLedgerObjects(store)
  if (names.length === 0) return undefined
  const lists: StoredEntry[][] = []
  for (const name of names) {
    const text = await readHashed(store, name)
    const entries = parseEntries(text)
    // No line was cut: the hash of the object is right.
    if (entries.length !== text.split('\n').filter(Boolean).length) throw new DamagedBackup(`${name} is another object`)
    lists.push(entries)
  }
  return mergeEntries(...lists)
}

/**
 * Adds entries to the ledger of a location. Not every store can append to an object, so the whole ledger is stored as a
 * new one, and only then the old one is removed. If several processes do this at once, none of their entries is lost.
 */
export async function updateLedger(store: BackupStore, entries: StoredEntry[]): Promise<void> {
  const names = await listLedgerObjects(store)
  const stored = await readLedger(store)
  const all = mergeEntries(stored ?? [], entries)
  if (stored && all.length === stored.length && names.length === 1) return
  const name = `ledger/${String(all.length).padStart(8, '0')}-${randomBytes(4).toString('hex')}.json`
  await store.write(name, [Buffer.from(withHash(formatEntries(all)))])
  await readHashed(store, name)
  for (const old of names) await store.remove(old)
}

const listLedgerObjects = async (store: BackupReader): Promise<string[]> =>
  [...(await store.list()).keys()].filter(isLedgerObject).sort()
