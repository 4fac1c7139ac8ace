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
      const { backUp, backUpIfDue, backUpLedgerOnly } = await import('../commands/backup.ts')
      if (ledger) return backUpLedgerOnly(config)
      await (ifDue ? backUpIfDue(config) : backUp(config, location))
    })
  backup
    .command('list')
    .description('list the backups, newest first')
    .argument('[location]', 'default: BACKUP_TO')
    .action(async (location) =>
      (await import('../commands/read-backups.ts')).printBackups((await load()).config, location),
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
        (await import('../commands/read-backups.ts'))[name]((await load()).config, location, id),
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

/** Defines `summit audit`. */
export function addAuditCommands(summit: Command, load: LoadForCommand): void {
  const audit = summit.command('audit').description('list the changes in the log, and verify that nobody altered it')
  audit
    .command('list')
    .description('list changes, newest first')
    .option('--kind <kind>', 'only of this kind, such as credential.revoked, or of all kinds of a record: credential')
    .option('--record <id>', 'only of this record; with --kind, as each kind of record has its own ids')
    .option('--actor <id>', 'only in the name of this participant')
    .option('--organizer <id>', 'only by this organizer; to find the id: summit organizer list')
    .option('--credential <id>', 'only with this key; to find the id: summit key list')
    .option('--since <time>', 'only from this time on, such as 2030-05-01 or 2030-05-01T09:00Z')
    .option('--before <time>', 'only before this time')
    .action(async (options) => (await import('../commands/audit-list.ts')).list((await load()).config, options))
  audit
    .command('verify')
    .description('verify that no change was altered, inserted or removed (servers may keep running)')
    .argument('[location]', 'location of backups to compare with (default: BACKUP_TO)')
    .action(async (location) => (await import('../commands/audit-verify.ts')).verify((await load()).config, location))
}

/** Defines `summit check`, `doctor`, `sweep` and `move`, for the upkeep of an installation. */
export function addMaintenanceCommands(summit: Command, load: LoadForCommand, environment: NodeJS.ProcessEnv): void {
  summit
    .command('check')
    .description('read every row and stored file, and list what is damaged or missing (servers may keep running)')
    .action(async () => (await import('../commands/check.ts')).check((await load()).config))

  summit
    .command('doctor')
    .description('find problems with the installation, and say how to solve them (servers may keep running)')
    .action(async () => (await import('../commands/doctor.ts')).doctor(environment, summit.opts()))

  summit
    .command('sweep')
    .description('list orphaned files (no record refers to them) older than a day, as a power failure may leave')
    .option('--apply', 'remove them; without this, they are only listed')
    .option('--all', 'list all of them, not only the first 20')
    .action(async (options) => (await import('../commands/sweep.ts')).sweep((await load()).config, options))

  summit
    .command('move')
    .description('copy the summit to another location and verify the copy (stop all servers first)')
    .option('--to <target>', 'the new DATABASE_URL, or a folder such as /var/lib/summit/new or ./new')
    .option('--blobs <url>', 'the new BLOBS_URL, where files are stored')
    .option('--revoke', 'after a move, use the old copy again')
    .action(async ({ revoke, ...options }) => {
      const loaded = await load()
      const { moveSummit, revokeMove } = await import('../commands/move.ts')
      await (revoke ? revokeMove(loaded.config) : moveSummit(loaded, options))
    })
}
