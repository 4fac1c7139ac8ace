import { type Command, Option } from 'commander'
import type { LoadForCommand } from '../load-for-command.ts'

/** Defines `summit backup` and `summit restore`. */
export function addBackupCommands(summit: Command, load: LoadForCommand): void {
  const backup = summit
    .command('backup')
    .description('back up the summit, and verify that the backup can be restored (servers may keep running)')
    .argument('[location]', 'a folder such as /mnt/backups, or the URL of a bucket (default: BACKUP_TO)')
    .addOption(new Option('--if-due', 'as the server does: only if the newest is older than BACKUP_EVERY').hideHelp())
    .addOption(new Option('--ledger', 'as the server does: only the ledger').hideHelp())
    .action(async (location, { ifDue, ledger }) => {
      const { config } = await load()
      if (ledger) return (await import('../commands/backup-ledger.ts')).backUpLedgerOnly(config)
      const { backUp, backUpIfDue } = await import('../commands/backup.ts')
      await (ifDue ? backUpIfDue(config) : backUp(config, location))
    })
  backup
    .command('list')
    .description('list the backups, newest first')
    .argument('[location]', 'default: BACKUP_TO')
    .action(async (location) =>
      (await import('../commands/backup-list.ts')).printBackups((await load()).config, location),
    )
  for (const [name, description] of [
    ['show', 'show the contents of a backup'],
    ['verify', 'read a whole backup, restore it to a scratch folder, and serve it'],
  ] as const)
    backup
      .command(name)
      .description(description)
      .argument('[location]', 'default: BACKUP_TO')
      .option('--id <id>', 'id of the backup; to find it: summit backup list (default: the newest)')
      .action(async (location, { id }) =>
        (await import('../commands/backup-verify.ts'))[name]((await load()).config, location, id),
      )

  summit
    .command('restore')
    .description('restore a backup to DATA_DIR or DATABASE_URL, where there must be no summit yet')
    .argument('[location]', 'location of the backups (default: BACKUP_TO)')
    .option('--id <id>', 'id of the backup; to find it: summit backup list (default: the newest)')
    .option('--skip-damaged', 'restore the rest if the backup has damaged files')
    .option(
      '--ledger <file>',
      'the ledger of the old DATA_DIR, for erasures and revocations that may be missing from the location',
    )
    .option('--without-ledger', 'also restore what was erased or revoked after the backup')
    .option('--files', 'restore only stored files that are missing or damaged, from any backup')
    .option('--apply', 'restore the backup; without this, the plan is only printed')
    .action(async (location, { files, ...options }) => {
      const { config } = await load()
      if (files) await (await import('../commands/restore-files.ts')).restoreFiles(config, location, options)
      else await (await import('../commands/restore.ts')).restore(config, location, options)
    })
}
