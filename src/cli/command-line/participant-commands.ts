import { type Command, Option } from 'commander'
import { OperatorError } from '../../server/core/operator-error.ts'
import type { LoadForCommand } from '../load-for-command.ts'

/** Defines `summit participant`: sign-in, personal addresses, and deletion for good. */
export function addParticipantCommands(summit: Command, load: LoadForCommand): void {
  const participants = summit
    .command('participant')
    .description(
      'set how a participant signs in, invite or sign them out, or create their personal address; delete one for good',
    )
  participants
    .command('login')
    .description('set the e-mail address to which the sign-in codes of a participant are sent')
    .argument('<id>', 'id of the participant; to find it: summit export participants')
    .argument('[email]', 'the new address; if omitted, the present one is printed')
    .option('--remove', 'remove the address')
    .action(async (id, email, { remove }) => {
      if (remove && email !== undefined) throw new OperatorError('Give either an address or --remove.')
      await (await import('../commands/participant-login.ts')).login((await load()).config, id, remove ? '' : email)
    })
  participants
    .command('invite')
    .description(
      'print a link with which a participant signs in once, with a QR code on a terminal; or write one for each',
    )
    .argument('[id]', 'id or sign-in address of the participant; to find the id: summit export participants')
    .option('--qr', 'print the QR code even if the output is not a terminal')
    .option('--all', 'instead of <id>: everybody who has neither a way to sign in nor a link that they have not used')
    .option('--out <file>', 'with --all: new file for the links, .csv for a table or .html for QR codes to print')
    .addOption(new Option('--format <format>', 'with --all, for any other file name').choices(['csv', 'html']))
    .option('--replace', 'with --all: also replace links that have not been used')
    .action(async (id, options) =>
      (await import('../commands/invite-participant.ts')).invite((await load()).config, id, options),
    )
  participants
    .command('sign-out')
    .description('end all sessions of a participant, and invitations that they have not used')
    .argument('<id>', 'id or sign-in address of the participant; to find the id: summit export participants')
    .action(async (id) => (await import('../commands/sign-out-participant.ts')).signOut((await load()).config, id))
  participants
    .command('link')
    .description('create an address at which an app acts as a participant, and print it once')
    .argument('<id>', 'id or sign-in address of the participant; to find the id: summit export participants')
    .option('--expires-in <days>', 'days until it expires, such as 90d (default: never)')
    .action(async (id, options) => (await import('../commands/keys.ts')).createLink((await load()).config, id, options))
  participants
    .command('forget')
    .description('delete a participant with everything that they have posted')
    .argument('<id>', 'id or sign-in address of the participant; to find the id: summit export participants')
    .option('--apply', 'delete the participant; without this, the plan is only printed')
    .option('--keep-posts', 'do not delete their topics, comments and files; their author becomes unknown')
    .action(async (id, options) =>
      (await import('../commands/forget-participant.ts')).forget((await load()).config, id, options),
    )
}
