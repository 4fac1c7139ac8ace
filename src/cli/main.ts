import { Argument, Command, Option } from 'commander'
import packageJson from '../../package.json' with { type: 'json' }
import { hasCode } from '../server/core/error-code.ts'
import { exportedListNames } from '../server/export/list-names.ts'
import { supportedFormats } from '../server/import/formats/program-formats.ts'
import { dayOrders } from '../server/import/formats/written-dates.ts'

// Commands are imported on demand, so that each starts quickly.
const summit = new Command('summit')
  .description(
    'Operate Summit, the back end of a conference app. Settings are in summit.env or the environment; see: summit config',
  )
  .option('--data-dir <folder>', 'work on the summit in this folder, whatever DATA_DIR is')
  .option('--env-file <file>', 'read the settings from this file (default: summit.env, if there is one)')
  .configureHelp({ showGlobalOptions: true })
  .version(packageJson.version)
  .addHelpText(
    'afterAll',
    '\nCommands work on the summit that the server has with the same settings: in DATA_DIR (default: ./data), or in the ' +
      'database of DATABASE_URL if that is set. Each names it first.',
  )

/** Reads the settings, and names the summit that the command is about to work on. */
async function begin() {
  const { loadForCommand } = await import('./load-for-command.ts')
  return loadForCommand(process.env, summit.opts())
}

summit
  .command('config')
  .description('print every setting with its value and source')
  .action(async () => (await import('./commands/config.ts')).printConfig(process.env, summit.opts()))

const imports = summit.command('import').description('import a program, participants or images')
imports
  .command('program')
  .description(`a program file: ${supportedFormats}; also in a zip`)
  .argument('<file>')
  .option('--apply', 'apply the plan; without this, it is only printed')
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
  .description('a spreadsheet exported as CSV')
  .argument('<file>')
  .option('--apply', 'apply the plan; without this, it is only printed')
  .option('--all', 'show every change, not only the first 20 of each kind')
  .action(async (file, options) =>
    (await import('./commands/import-participants.ts')).importParticipants((await begin()).config, file, options),
  )
imports
  .command('images')
  .description('banners and photos of sessions, and photos of people, found by their file names')
  .argument('<folder>')
  .option('--apply', 'apply the plan; without this, it is only printed')
  .option('--all', 'show every change, not only the first 20 of each kind')
  .option('--source <name>', 'only sessions of this program')
  .action(async (folder, options) =>
    (await import('./commands/import-images.ts')).importImages((await begin()).config, folder, options),
  )

imports
  .command('list')
  .description('list the imports that have been applied, newest first')
  .action(async () => (await import('./commands/import-list.ts')).printImports((await begin()).config))
imports
  .command('undo')
  .description('take an import back: delete what it created, and restore what it changed')
  .argument('<id>', 'as in: summit import list')
  .option('--apply', 'apply the plan; without this, it is only printed')
  .option('--all', 'show every change, not only the first 20 of each kind')
  .option('--keep-changed', 'leave records alone that were changed since')
  .action(async (id, options) => (await import('./commands/import-undo.ts')).undo((await begin()).config, id, options))

summit
  .command('participant')
  .description('delete a participant for good')
  .command('forget')
  .description('delete a participant with everything that they have posted')
  .argument('<id>', 'as in: summit export participants')
  .option('--apply', 'delete it; without this, it is only shown')
  .option('--keep-posts', 'leave their topics, comments and files in place, with an unknown author')
  .action(async (id, options) =>
    (await import('./commands/forget-participant.ts')).forget((await begin()).config, id, options),
  )

summit
  .command('feedback')
  .description('delete feedback for good')
  .command('delete')
  .description('delete one feedback')
  .argument('<id>', 'as in: summit export feedback')
  .option('--apply', 'delete it; without this, it is only shown')
  .action(async (id, options) =>
    (await import('./commands/delete-feedback.ts')).removeFeedback((await begin()).config, id, options),
  )

for (const kind of ['topic', 'comment'] as const) {
  const posts = summit.command(kind).description(`list deleted ${kind}s, and bring one back`)
  posts
    .command('deleted')
    .description(`list deleted ${kind}s, the last one first`)
    .action(async () => (await import('./commands/deleted-posts.ts')).printDeleted((await begin()).config, kind))
  posts
    .command('restore')
    .description(`bring a deleted ${kind} back, with its files`)
    .argument('<id>', `as in: summit ${kind} deleted`)
    .action(async (id) => (await import('./commands/deleted-posts.ts')).restore((await begin()).config, kind, id))
}

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
  .command('sweep')
  .description('list unreferenced files older than a day, such as power cuts and replaced pictures leave behind')
  .option('--apply', 'remove them; without this, they are only listed')
  .option('--all', 'list all of them, not only the first 20')
  .action(async (options) => (await import('./commands/sweep.ts')).sweep((await begin()).config, options))

summit
  .command('move')
  .description('copy the summit to another location and verify the copy (stop all servers first)')
  .option('--to <target>', 'the new DATABASE_URL, or a folder such as /var/lib/summit/new or ./new')
  .option('--blobs <url>', 'the new BLOBS_URL, where files are stored')
  .option('--revoke', 'use the old copy again after a move away from it')
  .action(async ({ revoke, ...options }) => {
    const loaded = await begin()
    if (revoke) await (await import('./commands/revoke-move.ts')).revokeMove(loaded.config)
    else await (await import('./commands/move.ts')).moveSummit(loaded, options)
  })

// The reader of a pipe may close it early, as `head` does.
process.stdout.on('error', (error) => process.exit(hasCode(error, 'EPIPE') ? 0 : 1))

// Data and exports are readable by this user only.
process.umask(0o077)

try {
  await summit.parseAsync()
} catch (error) {
  const { explain } = await import('../server/lifecycle/explain.ts')
  console.error(explain(error))
  process.exitCode = 1
}
