import { Argument, Command, Option } from 'commander'
import packageJson from '../../package.json' with { type: 'json' }
import { hasCode } from '../server/core/error-code.ts'
import { exportedListNames } from '../server/export/list-names.ts'

// Each command is loaded when it is the one that was typed.
const summit = new Command('summit')
  .description('Operates a Summit. Settings come from the environment; see: summit config')
  .version(packageJson.version)
  .addHelpText(
    'afterAll',
    '\nThe summit is the one in DATA_DIR (./data if it is not set), or in the database of DATABASE_URL.',
  )

summit
  .command('config')
  .description('print every setting with its value and source')
  .action(async () => (await import('./commands/config.ts')).printConfig())

const imports = summit.command('import').description('take in a program, participants or images')
imports
  .command('program')
  .description('schedule.xml or schedule.json (frab, voc, pretalx), Sessionize JSON, or CSV')
  .argument('<file>')
  .option('--apply', 'do it; without this the plan is only printed')
  .option('--all', 'show every line of the plan, not only the first 20 of a kind')
  .option('--source <name>', 'which program it is, if the summit has several files', 'program')
  .option('--replace', 'cancel the program before, with which the file has nothing in common')
  .action(async (file, options) => (await import('./commands/import-program.ts')).importProgram(file, options))
imports
  .command('participants')
  .description('a spreadsheet exported as CSV')
  .argument('<file>')
  .option('--apply', 'do it; without this the plan is only printed')
  .option('--all', 'show every line of the plan, not only the first 20 of a kind')
  .action(async (file, options) =>
    (await import('./commands/import-participants.ts')).importParticipants(file, options),
  )
imports
  .command('images')
  .description('banners and photos named <event id or guid>.banner.jpg and <event id or guid>.photo.png')
  .argument('<folder>')
  .option('--source <name>', 'the program by whose guids alone the files are named')
  .action(async (folder, options) => (await import('./commands/import-images.ts')).importImages(folder, options))

summit
  .command('export')
  .description('write a whole list')
  .addArgument(new Argument('<list>').choices(exportedListNames))
  .addOption(new Option('--format <format>').choices(['csv', 'json']).default('csv'))
  .option('--out <file>', 'a new file; standard output without it')
  .action(async (list, options) => (await import('./commands/export.ts')).exportList(list, options))

summit
  .command('check')
  .description('read every row and every stored file, and list what is damaged or missing; a server may run')
  .action(async () => (await import('./commands/check.ts')).check())

summit
  .command('sweep')
  .description('list files older than a day that nothing names, as they are left by power cuts and replaced pictures')
  .option('--apply', 'remove them; without this they are only listed')
  .option('--all', 'list every one, not only the first 20')
  .action(async (options) => (await import('./commands/sweep.ts')).sweep(options))

summit
  .command('move')
  .description('copy the summit to another place, compare the two, and leave the first as it was; no server may run')
  .option('--to <place>', 'what DATABASE_URL would be, or a folder such as /var/lib/summit/new or ./new')
  .option('--blobs <url>', 'what BLOBS_URL would be: where the files go')
  .action(async (options) => (await import('./commands/move.ts')).moveSummit(options))

// Whoever reads our output may stop reading, as `head` does.
process.stdout.on('error', (error) => process.exit(hasCode(error, 'EPIPE') ? 0 : 1))

// What is kept, and what is exported, is nobody else's to read on this machine.
process.umask(0o077)

try {
  await summit.parseAsync()
} catch (error) {
  const { explain } = await import('../server/lifecycle/explain.ts')
  console.error(explain(error))
  process.exitCode = 1
}
