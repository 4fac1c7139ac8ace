import { isFuture } from '../../core/clock.ts'
import { OperatorError } from '../../core/errors.ts'
import type { RecordedHead } from '../../log/audit/verify-chain.ts'
import { type BackupReader, DamagedBackup, KeyMismatch } from './backup-reader.ts'
import type { BackupStore } from './backup-store.ts'
import { type BackupSummary, backupIds, type Manifest, readManifest, summarize } from './manifest.ts'

/** A backup as it is stored. */
export interface CatalogEntry {
  id: string
  /** Undefined if it cannot be read. */
  summary?: BackupSummary
  /** The damage that was found when its manifest was read, or by an earlier verification. */
  damage?: string
  /** Whether its manifest may have been encrypted with another key. */
  isKeyMismatch?: boolean
  /** When a verification found it, in milliseconds since 1970. */
  damagedAt?: number
}

/** The object that records the damage that a verification found. */
const damageName = (id: string): string => `${id}/damaged.json`

/**
 * Reads the manifests of all backups, one after the other: those of a summit with many files do not fit into memory
 * together.
 * @param objects the names of all objects
 * @returns newest first
 */
export async function readCatalog(store: BackupReader, objects: ReadonlyMap<string, number>): Promise<CatalogEntry[]> {
  const entries: CatalogEntry[] = []
  for (const id of backupIds(objects.keys()).reverse()) entries.push(await readEntry(store, objects, id))
  return entries
}

/** The heads of the change log that the backups of a location recorded. */
export async function recordedHeads(store: BackupReader): Promise<RecordedHead[]> {
  const entries = await readCatalog(store, await store.list())
  return entries.flatMap(({ id, summary }) =>
    summary?.audit ? [{ ...summary.audit, at: summary.createdAt, source: `the backup ${id}` }] : [],
  )
}

async function readEntry(store: BackupReader, objects: ReadonlyMap<string, number>, id: string): Promise<CatalogEntry> {
  try {
    const summary = summarize(await readManifest(store, id))
    return { id, summary, ...(hasRecordedDamage(objects, id) && (await readDamage(store, id))) }
  } catch (error) {
    if (!(error instanceof DamagedBackup)) throw error
    return { id, damage: error.message, isKeyMismatch: error instanceof KeyMismatch }
  }
}

interface RecordedDamage {
  damage: string
  damagedAt: number
}

/** The record counts even if it cannot be read. */
async function readDamage(store: BackupReader, id: string): Promise<RecordedDamage> {
  try {
    return JSON.parse(Buffer.concat(await Array.fromAsync(store.read(damageName(id)))).toString())
  } catch (error) {
    if (!(error instanceof DamagedBackup || error instanceof SyntaxError)) throw error
    return { damage: 'a verification found damage', damagedAt: Number.POSITIVE_INFINITY }
  }
}

/** Records that a backup cannot be restored, so that it does not count as one. */
export async function recordDamage(store: BackupStore, id: string, damage: string): Promise<void> {
  const record: RecordedDamage = { damage, damagedAt: Date.now() }
  await store.write(damageName(id), [Buffer.from(JSON.stringify(record))])
}

/** Removes the record of damage from a backup that is sound again, for example once its objects were copied back. */
export const removeDamage = (store: BackupStore, id: string): Promise<void> => store.remove(damageName(id))

const hasRecordedDamage = (objects: ReadonlyMap<string, number>, id: string): boolean => objects.has(damageName(id))

/** Whether a backup is dated in the future: then a clock is wrong now, or was when it was made. */
export const isFromFuture = ({ createdAt }: Pick<BackupSummary, 'createdAt'>, now: number): boolean =>
  isFuture(createdAt, now)

/** The newest backup without known damage that is not dated in the future, and those that are. */
export function splitByTime(entries: readonly CatalogEntry[], now: number) {
  const future = entries.filter(({ summary }) => summary && isFromFuture(summary, now))
  const newest = entries.find((entry) => entry.damage === undefined && !future.includes(entry))
  return { newest, future }
}

/** Every object of a backup. */
export const objectsOf = (store: BackupStore, { id, database, files }: Manifest): string[] => [
  `${id}/manifest.json`,
  damageName(id),
  ...database.map(({ name }) => name),
  ...files.map(({ sha256 }) => store.fileName(sha256)),
]

/**
 * Checks that the backups of a location are of this summit.
 * @param summit see `summitFingerprint`
 * @throws OperatorError
 */
export function assertSameSummit(entries: readonly CatalogEntry[], summit: string): void {
  const newest = entries.find(({ summary: found }) => found)?.summary
  if (newest && newest.summit !== summit && newest.summit !== '')
    throw new OperatorError('This location has the backups of another summit. Choose another location.')
}
