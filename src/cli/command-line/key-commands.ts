import { Argument, type Command } from 'commander'
import { roles } from '../../contract/access.ts'
import type { LoadForCommand } from '../load-for-command.ts'

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
    .option('--app', 'create an address for an app instead, one for all of its users')
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
