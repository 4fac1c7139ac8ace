import { Argument, type Command, Option } from 'commander'
import { roles } from '../../contract/access.ts'
import { OperatorError } from '../../server/core/errors.ts'
import type { LoadForCommand } from '../load-for-command.ts'

/** Defines `summit participant`: sign-in, secret URLs, and deletion for good. */
export function addParticipantCommands(summit: Command, load: LoadForCommand): void {
  const participants = summit
    .command('participant')
    .description(
      'set how a participant signs in, invite or sign them out, or create a secret URL for their app; delete one for good',
    )
  participants
    .command('login')
    .description('set the e-mail address to which the sign-in codes of a participant are sent')
    .argument('<id>', 'id of the participant; to find it: summit export participants')
    .argument('[email]', 'the new address; if omitted, the present one is printed')
    .option('--remove', 'remove the address')
    .action(async (id, email, { remove }) => {
      if (remove && email !== undefined) throw new OperatorError('Give either an address or --remove.')
      await (await import('../commands/participants.ts')).login((await load()).config, id, remove ? '' : email)
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
    .action(async (id) => (await import('../commands/participants.ts')).signOut((await load()).config, id))
  participants
    .command('link')
    .description('create a secret URL at which an app acts as a participant, and print it once')
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
      (await import('../commands/participants.ts')).forget((await load()).config, id, options),
    )
}

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

/** Defines `summit key`. */
export function addKeyCommands(summit: Command, load: LoadForCommand): void {
  const keys = summit
    .command('key')
    .description('create, list and revoke the keys of participants, organizers and apps')
  keys
    .command('create')
    .description('create a key, and print its secret once')
    .argument('<label>', 'what the key is for')
    .option('--participant <id>', 'id or sign-in address of the participant who acts with it')
    .option('--role <roles>', `what an organizer may do with it, separated by commas: ${roles.join(', ')}`)
    .option('--app', 'create a secret URL for an app instead, one for all of its users')
    .option('--may-change', 'let the app also change and delete what participants without a key have written')
    .option('--expires-in <days>', 'days until it expires, such as 90d (default: never)')
    .action(async (label, options) =>
      (await import('../commands/keys.ts')).create((await load()).config, label, options),
    )
  keys
    .command('list')
    .description('list all keys, newest first')
    .action(async () => (await import('../commands/keys.ts')).printKeys((await load()).config))
  keys
    .command('revoke')
    .description('revoke a key: no request with it succeeds from then on')
    .argument('<id>', 'id of the key; to find it: summit key list')
    .action(async (id) => (await import('../commands/keys.ts')).revoke((await load()).config, id))

  keys
    .command('rotate')
    .description('end all links to images and files in earlier responses; later responses contain new ones')
    .addArgument(new Argument('<keys>').choices(['media']))
    .action(async () => (await import('../commands/keys.ts')).rotateMedia((await load()).config))
}
