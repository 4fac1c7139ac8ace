import { assertMounted } from '../commands/backup/known-locations.ts'
import { withBackupsAt } from '../commands/backup/open-backups.ts'
import type { Config } from '../config/config.ts'
import type { Progress } from '../core/progress.ts'
import type { BackupTarget } from '../storage/blobs/backup-target.ts'
import { CannotOpen } from '../storage/db/cannot-open.ts'
import { openInspection } from '../storage/db/inspect.ts'
import { lockForMaintenance } from '../storage/db/locks.ts'
import { findPendingMigrations } from '../storage/db/migrate.ts'
import { migrateDatabase } from '../storage/db/open.ts'
import { copyBeforeMigration } from '../storage/db/previous-copies.ts'
import type { DatabaseTarget } from '../storage/db/target.ts'
import { backUpTo } from './schedules/back-up.ts'
import { explain } from './start/explain.ts'
import { assertNotMoved } from './start/moved.ts'
import { assertNoUnfinishedMove } from './start/unfinished-move.ts'

/**
 * Migrates the summit of an older version, once its present state is backed up or copied. If several servers start at
 * the same time, one does this, and the others wait for it.
 * @throws CannotOpen when the backup or copy fails, and then nothing is migrated; MigrationFailed
 */
export async function upgrade(config: Config): Promise<void> {
  const release = await lockForMaintenance(config.database, () =>
    console.log('Waiting for a backup, a removal of files, or another server that migrates the database…'),
  )
  try {
    const [first] = await readPendingMigrations(config.database)
    // Another server has migrated it meanwhile.
    if (first === undefined) return
    await secureState(config, first)
    await migrateDatabase(config.database)
    console.log('The database was migrated to this version.')
  } finally {
    await release()
  }
}

/** @throws CannotOpen when the summit is not here, so that a remnant is not migrated */
async function readPendingMigrations(target: DatabaseTarget): Promise<string[]> {
  const { read, close } = await openInspection(target)
  try {
    await assertNoUnfinishedMove(read)
    await assertNotMoved(read)
    return await findPendingMigrations(read)
  } finally {
    await close()
  }
}

/** @param migration the first one that will run */
async function secureState(config: Config, migration: string): Promise<void> {
  const { to } = config.backup
  if (to) {
    console.log('An older Summit wrote this database. It is backed up before it is migrated…')
    const { id, location } = await backUpBefore(config, to).catch((error: unknown) => {
      throw new CannotOpen(
        `Nothing was migrated, because the backup before it failed. To start without one, unset BACKUP_TO. ${explain(error)}`,
        { cause: error },
      )
    })
    console.log(`The verified backup ${id} in ${location} has its state before the migration.`)
  } else if (config.database.kind === 'folder') {
    const file = await copyBeforeMigration(config.database.dir, migration).catch((error: unknown) => {
      throw new CannotOpen(`Nothing was migrated, because the copy before it failed. ${explain(error)}`, {
        cause: error,
      })
    })
    console.log(`An older Summit wrote this database. Its state before the migration is in ${file}`)
  } else
    console.error(
      'WARNING: An older Summit wrote this database. It is migrated without a backup, because BACKUP_TO is not set. To be ' +
        'able to go back to that version, set BACKUP_TO before the next upgrade.',
    )
}

async function backUpBefore(config: Config, to: BackupTarget): Promise<{ id: string; location: string }> {
  await assertMounted(config.dataDir, to)
  return withBackupsAt(config, to, async (backups) => {
    const { manifest } = await backUpTo(config, backups, { isScheduled: false, progress: withoutProgress })
    return { id: manifest.id, location: backups.location }
  })
}

/** A start is not watched at a terminal. */
const withoutProgress: Progress = (_label, _total, run) => run(() => {})
