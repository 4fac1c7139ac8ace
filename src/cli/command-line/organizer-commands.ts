import type { Command } from 'commander'
import { roles } from '../../contract/access.ts'
import type { LoadForCommand } from '../load-for-command.ts'

/** Defines `summit organizer`. */
export function addOrganizerCommands(summit: Command, load: LoadForCommand): void {
  const organizers = summit.command('organizer').description('invite, list and remove organizers')
  organizers
    .command('invite')
    .description('add an organizer or change their roles, and print a link with which they sign in once')
    .argument('<email>')
    .requiredOption('--role <roles>', `what they may do, separated by commas: ${roles.join(', ')}`)
    .action(async (email, options) =>
      (await import('../commands/organizers.ts')).invite((await load()).config, email, options),
    )
  organizers
    .command('list')
    .description('list the organizers')
    .action(async () => (await import('../commands/organizers.ts')).printOrganizers((await load()).config))
  organizers
    .command('remove')
    .description('remove an organizer: their sessions, keys and passkeys end')
    .argument('<email>')
    .action(async (email) => (await import('../commands/organizers.ts')).remove((await load()).config, email))
}
