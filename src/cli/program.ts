import { Argument, Command, Option } from 'commander'
import packageJson from '../../package.json' with { type: 'json' }
import { roles } from '../contract/access.ts'
import { commandName } from '../server/core/command-name.ts'
import { hasCode } from '../server/core/error-code.ts'
import { exportedListNames } from '../server/export/list-names.ts'
import { supportedFormats } from '../server/import/formats/program-formats.ts'
import { dayOrders } from '../server/import/formats/written-dates.ts'

/**
 * The command line of Summit. Commands are imported on demand, so that each starts quickly.
 * @param environment gets the variables of the settings file that libraries read from it
 */
export function createProgram(environment: NodeJS.ProcessEnv): Command {
  const summit = new Command('summit')
    .description(
      'Operate Summit, the back end of a conference app. Settings are in summit.env or the environment; see: summit config',
    )
    .option('--data-dir <folder>', 'work on the summit in this folder, instead of the one in DATA_DIR')
    .option('--env-file <file>', 'read the settings from this file (default: summit.env, if there is one)')
    .configureHelp({ showGlobalOptions: true })
    .version(packageJson.version)
    .addHelpText(
      'afterAll',
      '\nCommands work on the summit that a server with the same settings serves: the one in DATA_DIR (default: ./data), or ' +
        'in the database of DATABASE_URL if that is set. Each command first names it.',
    )

  /** Reads the settings, and names the summit that the command is about to work on. */
  async function begin() {
    const { loadForCommand } = await import('./load-for-command.ts')
    return loadForCommand(environment, summit.opts())
  }

  summit
    .command('serve', { isDefault: true })
    .description('serve the summit until stopped; also without a command')
    .option('--empty', 'begin a new summit without the sample data')
    .allowExcessArguments()
    .action(async ({ empty }, { args: [unknown] }) => {
      if (unknown !== undefined) summit.error(`error: unknown command '${unknown}'; to list them: ${commandName} help`)
      await (await import('../server/serve-summit.ts')).serveSummit(environment, { ...summit.opts(), empty })
    })

  summit
    .command('config')
    .description('print every setting with its value and source')
    .action(async () => (await import('./commands/config.ts')).printConfig(environment, summit.opts()))

  const imports = summit
    .command('import')
    .description('import a program, participants or images; list and undo imports')
  imports
    .command('program')
    .description(`import a program file: ${supportedFormats}; also from a zip`)
    .argument('<file>')
    .option('--apply', 'apply the plan; without this, the plan is only printed')
    .option('--all', 'show every change, not only the first 20 of each kind')
    .option('--source <name>', 'name of the program, if the summit has several', 'program')
    .addOption(
      new Option(
        '--dates <order>',
        'how to read dates such as 03/04/2025 (default: as the file says, or else the shorter program)',
      ).choices(dayOrders),
    )
    .option('--replace', 'replace the program imported before, even if the file shares no session with it')
    .option('--venues <file>', 'names of the rooms, for a CSV that has only their numbers')
    .option('--speakers <file>', 'names of the speakers, for a CSV that has only their numbers')
    .option('--first-day <date>', 'YYYY-MM-DD, for a CSV with days such as "Thursday", "Day 1" or "14.3."')
    .action(async (file, options) =>
      (await import('./commands/import-program.ts')).importProgram((await begin()).config, file, options),
    )
  imports
    .command('participants')
    .description('import a spreadsheet of participants, saved as CSV')
    .argument('<file>')
    .option('--apply', 'apply the plan; without this, the plan is only printed')
    .option('--all', 'show every change, not only the first 20 of each kind')
    .action(async (file, options) =>
      (await import('./commands/import-participants.ts')).importParticipants((await begin()).config, file, options),
    )
  imports
    .command('images')
    .description('import banners and photos of sessions, and photos of people, matched by their file names')
    .argument('<folder>')
    .option('--apply', 'apply the plan; without this, the plan is only printed')
    .option('--all', 'show every change, not only the first 20 of each kind')
    .option('--source <name>', 'attach images only to sessions of this program')
    .action(async (folder, options) =>
      (await import('./commands/import-images.ts')).importImages((await begin()).config, folder, options),
    )

  imports
    .command('list')
    .description('list the imports that have been applied, newest first')
    .action(async () => (await import('./commands/import-list.ts')).printImports((await begin()).config))
  imports
    .command('undo')
    .description('undo an import: delete the records that it created, and restore those that it changed')
    .argument('<id>', 'id of the import; to find it: summit import list')
    .option('--apply', 'apply the plan; without this, the plan is only printed')
    .option('--all', 'show every change, not only the first 20 of each kind')
    .option('--keep-changed', 'leave records that were changed since, or are in use, as they are')
    .action(async (id, options) =>
      (await import('./commands/import-undo.ts')).undo((await begin()).config, id, options),
    )

  const participants = summit
    .command('participant')
    .description(
      'set how a participant signs in, invite or sign them out, or create their personal address; delete one for good',
    )
  participants
    .command('login')
    .description('set the address to which a participant gets codes to sign in with')
    .argument('<id>', 'id of the participant; to find it: summit export participants')
    .argument('[email]', 'the new address; if omitted, the present one is printed')
    .option('--remove', 'remove the address')
    .action(async (id, email, { remove }) =>
      (await import('./commands/participant-login.ts')).login((await begin()).config, id, remove ? '' : email),
    )
  participants
    .command('invite')
    .description('print a link with which a participant signs in once, with a QR code on a terminal')
    .argument('<id>', 'id or e-mail address of the participant; to find the id: summit export participants')
    .option('--qr', 'print the QR code in any case')
    .action(async (id, options) =>
      (await import('./commands/invite-participant.ts')).invite((await begin()).config, id, options),
    )
  participants
    .command('sign-out')
    .description('end all sessions of a participant, and invitations that they have not used')
    .argument('<id>', 'id or e-mail address of the participant; to find the id: summit export participants')
    .action(async (id) => (await import('./commands/sign-out-participant.ts')).signOut((await begin()).config, id))
  participants
    .command('link')
    .description('create an address at which an app acts as a participant, and print it once')
    .argument('<id>', 'id or e-mail address of the participant; to find the id: summit export participants')
    .option('--expires-in <days>', 'days until it expires, such as 90d (default: never)')
    .action(async (id, options) => (await import('./commands/keys.ts')).createLink((await begin()).config, id, options))
  participants
    .command('forget')
    .description('delete a participant with everything that they have posted')
    .argument('<id>', 'id or e-mail address of the participant; to find the id: summit export participants')
    .option('--apply', 'delete the participant; without this, the plan is only printed')
    .option('--keep-posts', 'do not delete their topics, comments and files; their author becomes unknown')
    .action(async (id, options) =>
      (await import('./commands/forget-participant.ts')).forget((await begin()).config, id, options),
    )

  summit
    .command('feedback')
    .description('delete feedback for good')
    .command('delete')
    .description('delete one feedback entry')
    .argument('<id>', 'id of the entry; to find it: summit export feedback')
    .option('--apply', 'delete the entry; without this, it is only printed')
    .action(async (id, options) =>
      (await import('./commands/delete-feedback.ts')).removeFeedback((await begin()).config, id, options),
    )

  for (const kind of ['topic', 'comment'] as const) {
    const posts = summit.command(kind).description(`list deleted ${kind}s, and restore one`)
    posts
      .command('deleted')
      .description(`list deleted ${kind}s, latest deletion first`)
      .action(async () => (await import('./commands/deleted-posts.ts')).printDeleted((await begin()).config, kind))
    posts
      .command('restore')
      .description(`restore a deleted ${kind}, with its files`)
      .argument('<id>', `id of the ${kind}; to find it: summit ${kind} deleted`)
      .action(async (id) => (await import('./commands/deleted-posts.ts')).restore((await begin()).config, kind, id))
  }

  const keys = summit
    .command('key')
    .description('create, list and revoke the keys of participants, organizers and apps')
  keys
    .command('create')
    .description('create a key, and print its secret once')
    .argument('<label>', 'what the key is for')
    .option('--participant <id>', 'id or e-mail address of the participant who acts with it')
    .option('--role <roles>', `what an organizer may do with it, separated by commas: ${roles.join(', ')}`)
    .option('--app', 'create an address for an app instead, one for all of its users')
    .option('--may-change', 'let the app also change and delete what participants without a key have written')
    .option('--expires-in <days>', 'days until it expires, such as 90d (default: never)')
    .action(async (label, options) =>
      (await import('./commands/keys.ts')).create((await begin()).config, label, options),
    )
  keys
    .command('list')
    .description('list all keys, newest first')
    .action(async () => (await import('./commands/keys.ts')).printKeys((await begin()).config))
  keys
    .command('revoke')
    .description('revoke a key: no request with it succeeds from then on')
    .argument('<id>', 'id of the key; to find it: summit key list')
    .action(async (id) => (await import('./commands/keys.ts')).revoke((await begin()).config, id))

  keys
    .command('rotate')
    .description('end all links to images and files that responses have given out; responses then have new ones')
    .addArgument(new Argument('<keys>').choices(['media']))
    .action(async () => (await import('./commands/keys.ts')).rotateMedia((await begin()).config))

  const organizers = summit.command('organizer').description('invite, list and remove organizers')
  organizers
    .command('invite')
    .description('add an organizer or change their roles, and print a link with which they sign in once')
    .argument('<email>')
    .requiredOption('--role <roles>', `what they may do, separated by commas: ${roles.join(', ')}`)
    .action(async (email, options) =>
      (await import('./commands/organizers.ts')).invite((await begin()).config, email, options),
    )
  organizers
    .command('list')
    .description('list the organizers')
    .action(async () => (await import('./commands/organizers.ts')).printOrganizers((await begin()).config))
  organizers
    .command('remove')
    .description('remove an organizer: their sessions, keys and passkeys end')
    .argument('<email>')
    .action(async (email) => (await import('./commands/organizers.ts')).remove((await begin()).config, email))

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
    .action(async (options) => (await import('./commands/audit-list.ts')).list((await begin()).config, options))
  audit
    .command('verify')
    .description('verify that no change was altered, inserted or removed (servers may keep running)')
    .argument('[location]', 'location of backups to compare with (default: BACKUP_TO)')
    .action(async (location) => (await import('./commands/audit-verify.ts')).verify((await begin()).config, location))

  summit
    .command('export')
    .description('write a whole list as CSV or JSON')
    .addArgument(new Argument('<list>').choices(exportedListNames))
    .addOption(new Option('--format <format>').choices(['csv', 'json']).default('csv'))
    .option('--out <file>', 'new file to write; standard output if omitted')
    .action(async (list, options) =>
      (await import('./commands/export.ts')).exportList((await begin()).config, list, options),
    )

  summit
    .command('check')
    .description('read every row and stored file, and list what is damaged or missing (servers may keep running)')
    .action(async () => (await import('./commands/check.ts')).check((await begin()).config))

  summit
    .command('doctor')
    .description('look for what is wrong with the installation, and say what to do (servers may keep running)')
    .action(async () => (await import('./commands/doctor.ts')).doctor(environment, summit.opts()))

  const backup = summit
    .command('backup')
    .description('back up the summit, and verify that the backup can be restored (servers may keep running)')
    .argument('[location]', 'a folder such as /mnt/backups, or the URL of a bucket (default: BACKUP_TO)')
    .addOption(new Option('--if-due', 'as the server does: only if the newest is older than BACKUP_EVERY').hideHelp())
    .addOption(new Option('--ledger', 'as the server does: only the ledger').hideHelp())
    .action(async (location, { ifDue, ledger }) => {
      const { config } = await begin()
      if (ledger) return (await import('./commands/backup-ledger.ts')).backUpLedgerOnly(config)
      const { backUp, backUpIfDue } = await import('./commands/backup.ts')
      await (ifDue ? backUpIfDue(config) : backUp(config, location))
    })
  backup
    .command('list')
    .description('list the backups, newest first')
    .argument('[location]', 'default: BACKUP_TO')
    .action(async (location) =>
      (await import('./commands/backup-list.ts')).printBackups((await begin()).config, location),
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
        (await import('./commands/backup-verify.ts'))[name]((await begin()).config, location, id),
      )

  summit
    .command('restore')
    .description('restore a backup to DATA_DIR or DATABASE_URL, where there must be no summit yet')
    .argument('[location]', 'location of the backups (default: BACKUP_TO)')
    .option('--id <id>', 'id of the backup; to find it: summit backup list (default: the newest)')
    .option('--skip-damaged', 'restore the rest if the backup has damaged files')
    .option(
      '--ledger <file>',
      'the ledger of the old DATA_DIR, for erasures and revocations that the location may lack',
    )
    .option('--without-ledger', 'restore also what was erased or revoked after the backup')
    .option('--files', 'restore only stored files that are missing or damaged, from any backup')
    .option('--apply', 'restore the backup; without this, the plan is only printed')
    .action(async (location, { files, ...options }) => {
      const { config } = await begin()
      if (files) await (await import('./commands/restore-files.ts')).restoreFiles(config, location, options)
      else await (await import('./commands/restore.ts')).restore(config, location, options)
    })

  summit
    .command('sweep')
    .description('list orphaned files (no record refers to them) older than a day, as a power failure may leave')
    .option('--apply', 'remove them; without this, they are only listed')
    .option('--all', 'list all of them, not only the first 20')
    .action(async (options) => (await import('./commands/sweep.ts')).sweep((await begin()).config, options))

  summit
    .command('move')
    .description('copy the summit to another location and verify the copy (stop all servers first)')
    .option('--to <target>', 'the new DATABASE_URL, or a folder such as /var/lib/summit/new or ./new')
    .option('--blobs <url>', 'the new BLOBS_URL, where files are stored')
    .option('--revoke', 'after a move, use the old copy again')
    .action(async ({ revoke, ...options }) => {
      const loaded = await begin()
      if (revoke) await (await import('./commands/revoke-move.ts')).revokeMove(loaded.config)
      else await (await import('./commands/move.ts')).moveSummit(loaded, options)
    })

  // That of the package shows the help of `key` for `help key create`. Those of the subcommands stay.
  summit.helpCommand(false)
  summit
    .command('help')
    .description('display help for command')
    .argument('[command...]')
    .action((names: string[]) => {
      let command: Command = summit
      for (const name of names) {
        const found = command.commands.find((one) => one.name() === name)
        command =
          found ?? summit.error(`error: unknown command '${names.join(' ')}'; to list them: ${commandName} help`)
      }
      command.help()
    })

  summit.hook('preSubcommand', (_, subcommand) => {
    // The server does not depend on the reader of its output (`LogSink`).
    if (subcommand.name() === 'serve') return
    // The reader of a pipe may close it early, as `head` does.
    process.stdout.on('error', (error) => process.exit(hasCode(error, 'EPIPE') ? 0 : 1))
  })

  return summit
}
