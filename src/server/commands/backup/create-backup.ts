import { join } from 'node:path'
import { commandName } from '../../core/command-name.ts'
import { OperatorError } from '../../core/errors.ts'
import type { Progress } from '../../core/progress.ts'
import { version } from '../../core/version.ts'
import type { BlobReader } from '../../storage/blobs/blob-store.ts'
import { openInspection } from '../../storage/db/inspect.ts'
import { removeScratch } from '../../storage/db/scratch-folder.ts'
import type { DatabaseTarget } from '../../storage/db/target.ts'
import { DamagedBackup } from './backup-reader.ts'
import type { BackupStore } from './backup-store.ts'
import { assertSameSummit, type CatalogEntry, readCatalog } from './catalog.ts'
import { type Manifest, readManifest, writeManifest } from './manifest.ts'
import { newBackupId } from './object-names.ts'
import { type Expiry, removeExpired } from './remove-expired.ts'
import { comparePages, readServedPages, type StartScratchServer } from './served-pages.ts'
import { findDamage, takeSnapshot } from './snapshot.ts'
import { fetchDatabase, storeDatabase } from './stored-database.ts'
import { type BackedUpFile, storeFiles } from './stored-files.ts'

interface Options {
  database: DatabaseTarget
  blobs: BlobReader
  /** 64 hex digits; stored only if the backup is encrypted. */
  signatureKey: string | undefined
  /** Likewise. */
  auditKey: string | undefined
  /** Whether the server makes it because it is due, and not the operator or an upgrade. */
  isScheduled: boolean
  store: BackupStore
  /** A folder of this command alone; emptied before and after. */
  scratchDir: string
  startScratchServer: StartScratchServer
  progress: Progress
}

export interface CreatedBackup extends Expiry {
  manifest: Manifest
  sentBytes: number
}

/**
 * Makes a backup from one state of the database and the files that it refers to, verifies that it can be restored and
 * served, and removes expired ones. A server may run meanwhile. The manifest is stored last, because a backup exists
 * once its manifest does.
 * @throws OperatorError when the location has backups of another summit, or the database is damaged; CannotOpen,
 *   Failure, DamagedBackup, the error of connecting
 */
export async function createBackup(options: Options): Promise<CreatedBackup> {
  const { scratchDir } = options
  await removeScratch(scratchDir)
  try {
    return await create(options)
  } finally {
    await removeScratch(scratchDir)
  }
}

async function create({
  database,
  blobs,
  signatureKey,
  auditKey,
  isScheduled,
  store,
  scratchDir,
  startScratchServer,
  progress,
}: Options): Promise<CreatedBackup> {
  const now = Date.now()
  const id = newBackupId(now)
  await store.clearStaging()
  const objects = await store.list()
  const entries = await readCatalog(store, objects)
  const previous = entries.find(({ summary }) => summary)
  if (!previous && entries[0])
    throw new OperatorError(
      `No backup in this location can be read: ${entries[0].damage}. Correct that, or choose another location.`,
    )
  const snapshot = await takeSnapshot(database, join(scratchDir, 'snapshot'), progress)
  const { migrations, tables, summit, head } = snapshot
  assertSameSummit(entries, summit)
  const damage = await findDamage(snapshot.dir)
  if (damage !== undefined)
    throw new OperatorError(
      `The database is damaged, so no backup was made: ${damage}. To list the damage: ${commandName} check`,
    )

  const stored = await storeDatabase(store, id, snapshot.dir, progress)
  // Only now that the file is stored, because this may migrate it. From here on its rows have the schema of this
  // version.
  const pages = await readServedPages(snapshot.dir, startScratchServer)
  const files = await storeFilesOf(snapshot.dir, {
    blobs,
    store,
    objects,
    previous: previous ? withoutSuspects((await readManifest(store, previous.id)).files, entries, now) : [],
    now,
    progress,
  })
  await removeScratch(snapshot.dir)

  const manifest: Manifest = {
    format: 1,
    id,
    summit,
    createdAt: now,
    durationMs: 0,
    isScheduled,
    version,
    migrations,
    tables,
    database: stored,
    files: files.files,
    missing: files.missing,
    pages: pages.size,
    // An older Summit must be able to restore its own state from before an upgrade.
    ...(head && { audit: head, ledger: true }),
    ...(store.isEncrypted && signatureKey !== undefined && { signatureKey }),
    ...(head && store.isEncrypted && auditKey !== undefined && { auditKey }),
  }
  const restored = await fetchDatabase(store, manifest, join(scratchDir, 'restored'), progress)
  comparePages(pages, await readServedPages(restored.dir, startScratchServer))
  await assertComplete(store, manifest)
  const durationMs = Date.now() - now
  await writeManifest(store, { ...manifest, durationMs })
  const sentBytes = stored.reduce((sum, { size }) => sum + size, files.sentBytes)
  return { manifest: { ...manifest, durationMs }, sentBytes, ...(await removeExpired(store, now)) }
}

/**
 * Looks for every object once more: another process may have removed some if the lock was lost, as with the connection
 * to a database server.
 * @throws DamagedBackup
 */
async function assertComplete(store: BackupStore, { database, files }: Manifest): Promise<void> {
  const objects = await store.list()
  const expected = [
    ...database.map(({ name, size }) => ({ name, size })),
    ...files.map(({ sha256, size }) => ({ name: store.fileName(sha256), size })),
  ]
  for (const { name, size } of expected)
    if (objects.get(name) !== store.storedSize(size)) throw new DamagedBackup(`${name} was removed meanwhile`)
}

/**
 * Where one object was found damaged, others may be, too: files that were last read before that are read again, and those
 * that were read by a clock that was ahead.
 */
function withoutSuspects(
  files: readonly BackedUpFile[],
  entries: readonly CatalogEntry[],
  now: number,
): BackedUpFile[] {
  const damagedAt = Math.max(...entries.map((entry) => entry.damagedAt ?? Number.NEGATIVE_INFINITY))
  return files.map((file) =>
    damagedAt >= file.verifiedAt || file.verifiedAt > now ? { ...file, verifiedAt: 0 } : file,
  )
}

async function storeFilesOf(dir: string, options: Omit<Parameters<typeof storeFiles>[0], 'db'>) {
  const inspection = await openInspection({ kind: 'folder', dir })
  return storeFiles({ ...options, db: inspection.read }).finally(() => inspection.close())
}
