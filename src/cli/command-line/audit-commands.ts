import type { Command } from 'commander'
import type { LoadForCommand } from '../load-for-command.ts'

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
