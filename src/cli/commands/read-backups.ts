import { join } from 'node:path'
import { type BackupReader, DamagedBackup } from '../../server/commands/backup/backup-reader.ts'
import type { BackupStore } from '../../server/commands/backup/backup-store.ts'
import {
  type CatalogEntry,
  isFromFuture,
  readCatalog,
  recordDamage,
  removeDamage,
} from '../../server/commands/backup/catalog.ts'
import { summarize } from '../../server/commands/backup/manifest.ts'
import type { OpenBackups } from '../../server/commands/backup/open-backups.ts'
import { readServedPages } from '../../server/commands/backup/served-pages.ts'
import { fetchDatabase } from '../../server/commands/backup/stored-database.ts'
import type { Config } from '../../server/config/config.ts'
import { formatCount } from '../../server/core/format-count.ts'
import { HmacKey } from '../../server/core/hmac-key.ts'
import { explain } from '../../server/lifecycle/start/explain.ts'
import { findAuditKey } from '../../server/lifecycle/start/keys.ts'
import { startScratchServer } from '../../server/lifecycle/start/scratch-server.ts'
import { type ChainReport, verifyChain } from '../../server/log/audit/verify-chain.ts'
import { openInspection } from '../../server/storage/db/inspect.ts'
import { findBackup, megabytes, type ReadableBackup, withBackupReader, withBackups } from '../backups.ts'
import { progress } from '../progress.ts'

/** `summit backup list`: lists the backups, newest first. */
export const printBackups = (config: Config, location: string | undefined): Promise<void> =>
  withBackupReader(config, location, async ({ store, location: name }) => {
    const entries = await readCatalog(store, await store.list())
    console.log(`${formatCount(entries.length, 'backup')} in ${name}`)
    for (const entry of entries) console.log(`  ${[entry.id, ...describe(entry)].join('  ')}`)
  })

function describe({ summary, damage }: CatalogEntry): string[] {
  if (!summary) return [`CANNOT BE READ: ${damage}`]
  const { createdAt, version, rows, bytes, files, missing } = summary
  const columns = [
    `${new Date(createdAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    `Summit ${version}`,
    formatCount(rows, 'row'),
    formatCount(files, 'file'),
    megabytes(bytes),
  ]
  if (isFromFuture(summary, Date.now())) columns.push('DATED IN THE FUTURE: a clock is wrong, or was')
  if (missing > 0) columns.push(`is missing ${formatCount(missing, 'file')}`)
  if (damage !== undefined) columns.push(`DAMAGED: ${damage}`)
  return columns
}

/** `summit backup show`: prints the contents of a backup. */
export const show = (config: Config, location: string | undefined, id: string | undefined): Promise<void> =>
  withBackupReader(config, location, async (backups) => {
    const backup = await findBackup(backups, id)
    console.log(describeBackup(backup, backups))
    const tables = Object.entries(backup.manifest.tables)
    const width = Math.max(...tables.map(([table]) => table.length))
    for (const [table, { rows, sha256 }] of tables)
      console.log(`  ${table.padEnd(width)} ${String(rows).padStart(9)} rows   ${sha256.slice(0, 16)}`)
  })

/**
 * `summit backup verify`: reads a whole backup, restores its database to a scratch folder, and serves it. Damage that
 * it finds is recorded beside the backup, until a verification finds none.
 */
export const verify = (config: Config, location: string | undefined, id: string | undefined): Promise<void> =>
  withBackupReader(config, location, async (backups) => {
    const backup = await findBackup(backups, id)
    const inStore = (work: (store: BackupStore) => Promise<void>) =>
      withBackups(config, location, ({ store }) => work(store))
    try {
      const { pages, chain } = await verifyWhole(config, backup, backups)
      if (backup.damage !== undefined) await inStore((store) => removeDamage(store, backup.id))
      console.log(describeBackup({ id: backup.id, manifest: backup.manifest }, backups))
      console.log(`\nVerified: every row and file matches the manifest, and a server served ${pages} pages of a copy.`)
      printChain(chain)
    } catch (error) {
      if (error instanceof DamagedBackup)
        await inStore((store) => recordDamage(store, backup.id, error.message)).catch((reason: unknown) =>
          console.error(`The damage could not be recorded next to the backup: ${explain(reason)}`),
        )
      throw error
    }
  })

/**
 * @returns the number of pages that were served, and the chain of the change log, if it can be verified
 * @throws DamagedBackup
 */
async function verifyWhole(
  config: Config,
  { manifest }: ReadableBackup,
  { store, scratchDir }: OpenBackups<BackupReader>,
): Promise<{ pages: number; chain: ChainReport | undefined }> {
  const { dir } = await fetchDatabase(store, manifest, join(scratchDir, 'restored'), progress)
  const key = manifest.auditKey ? HmacKey.fromHex(manifest.auditKey) : await findAuditKey(config)
  const chain = key && manifest.audit ? await verifyChainIn(dir, key) : undefined
  await progress('Reading files', manifest.files.length, async (onProgress) => {
    for (const { sha256, size } of manifest.files) {
      await store.verify(store.fileName(sha256), { sha256, size })
      onProgress()
    }
  })
  return { pages: (await readServedPages(dir, startScratchServer)).size, chain }
}

async function verifyChainIn(dir: string, key: HmacKey): Promise<ChainReport> {
  const { read, close } = await openInspection({ kind: 'folder', dir })
  return verifyChain(read, key, [], progress).finally(close)
}

/** A break is no damage: the backup has the log as it was. */
function printChain(chain: ChainReport | undefined): void {
  console.log(describeChain(chain))
  if (chain && chain.breaks.length > 0) process.exitCode = 1
}

function describeChain(chain: ChainReport | undefined): string {
  if (!chain) return 'The chain of the change log was not verified: there is no key for it.'
  const { verified, breaks } = chain
  if (breaks.length === 0) return `The chain of ${formatCount(verified, 'change')} is intact.`
  return `The chain of the change log breaks in ${formatCount(breaks.length, 'place')}. ${breaks[0]}`
}

/** Describes the contents of a backup for the operator. */
export function describeBackup(
  { manifest, damage }: ReadableBackup,
  { location, store }: OpenBackups<BackupReader>,
): string {
  const { id, createdAt, version, signatureKey, rows, bytes, files, missing } = summarize(manifest)
  const key = signatureKey === undefined ? 'does not contain the signing key' : 'contains the signing key'
  const lines = [
    `Backup ${id} in ${location}`,
    `  made      ${new Date(createdAt).toISOString()} by Summit ${version}`,
    `  holds     ${formatCount(rows, 'row')} and ${formatCount(files, 'file')}, ${megabytes(bytes)}`,
    `  security  ${store.isEncrypted ? 'encrypted' : 'not encrypted'}; ${key}`,
  ]
  if (missing > 0) lines.push(`  missing   ${formatCount(missing, 'file')}, lost or damaged before the backup was made`)
  if (damage !== undefined) lines.push(`  DAMAGED   ${damage}`)
  return lines.join('\n')
}
