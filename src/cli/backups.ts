import type { BackupReader } from '../server/commands/backup/backup-reader.ts'
import type { BackupStore } from '../server/commands/backup/backup-store.ts'
import { type CatalogEntry, readCatalog, splitByTime } from '../server/commands/backup/catalog.ts'
import { type Manifest, readManifest } from '../server/commands/backup/manifest.ts'
import { type OpenBackups, withBackupReaderAt, withBackupsAt } from '../server/commands/backup/open-backups.ts'
import type { Config } from '../server/config/config.ts'
import { commandName } from '../server/core/command-name.ts'
import { OperatorError } from '../server/core/errors.ts'
import { formatCount } from '../server/core/format-count.ts'
import { type BackupTarget, backupTargetExpectation, parseBackupTarget } from '../server/storage/blobs/backup-target.ts'

/**
 * Opens the store of backups and runs a command on it.
 * @param to as given to the command; `BACKUP_TO` by default
 * @throws OperatorError when there is no such location, or a backup is damaged
 */
export const withBackups = (
  config: Config,
  to: string | undefined,
  command: (backups: OpenBackups<BackupStore>) => Promise<void>,
): Promise<void> => withBackupsAt(config, targetOf(config, to), command)

/** Like {@link withBackups}, for a command that only reads. */
export const withBackupReader = (
  config: Config,
  to: string | undefined,
  command: (backups: OpenBackups<BackupReader>) => Promise<void>,
): Promise<void> => withBackupReaderAt(config, targetOf(config, to), command)

/** @throws OperatorError when the command and the settings name none, or it is invalid */
export function targetOf(config: Config, to: string | undefined): BackupTarget {
  if (to === undefined) {
    if (config.backup.to) return config.backup.to
    throw new OperatorError('Specify the location of the backups, or set BACKUP_TO.')
  }
  try {
    return parseBackupTarget(to)
  } catch {
    throw new OperatorError(`The location of the backups ${backupTargetExpectation}`)
  }
}

/**
 * Finds a backup: the one with this id, or the newest without known damage that is not dated in the future. Those that
 * are, are named.
 * @throws OperatorError when there is none, or it cannot be read
 */
export async function findBackup(
  { store, location }: OpenBackups<BackupReader>,
  id: string | undefined,
): Promise<ReadableBackup> {
  const entries = await readCatalog(store, await store.list())
  const { newest, future } = splitByTime(entries, Date.now())
  const found = id === undefined ? newest : entries.find((entry) => entry.id === id)
  if (id === undefined && future.length > 0) console.error(`WARNING: ${describeFuture(future, location)}`)
  if (found?.summary) return { ...found, manifest: await readManifest(store, found.id) }
  const damage = (found ?? entries.find((entry) => !future.includes(entry)))?.damage
  if (damage !== undefined && (found || id === undefined))
    throw new OperatorError(
      `${location}: ${damage}.${found || entries.length === 1 ? '' : ' No other backup there can be restored either.'}`,
    )
  throw new OperatorError(
    id === undefined
      ? `There is no ${future.length > 0 ? 'other ' : ''}backup in ${location}.`
      : `There is no backup ${id} in ${location}. To list them: ${commandName} backup list ${location}`,
  )
}

/** Advice to an operator whose backups are dated in the future. */
export const describeFuture = (future: readonly CatalogEntry[], location: string): string =>
  `${formatCount(future.length, 'backup')} in ${location} ${future.length === 1 ? 'is' : 'are'} dated in the future, and not ` +
  `taken for the newest: ${future.map(({ id }) => id).join(', ')}. If the clock is wrong, set it; if it was wrong when ` +
  'they were made, name one with --id to use it, or remove its folder.'

/** A backup whose manifest can be read. */
export type ReadableBackup = Pick<CatalogEntry, 'id' | 'damage'> & { manifest: Manifest }

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`
