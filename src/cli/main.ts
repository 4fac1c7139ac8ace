import { Argument, Command, Option } from 'commander'
import packageJson from '../../package.json' with { type: 'json' }
import { hasCode } from '../server/core/error-code.ts'
import { exportedListNames } from '../server/export/list-names.ts'
import { dayOrders } from '../server/import/formats/written-dates.ts'

// Commands are imported on demand, so that each starts quickly.
const summit = new Command('summit')
  .description(
    'Operate Summit, the back end of a conference app. Settings are environment variables; see: summit config',
  )
  .version(packageJson.version)
  .addHelpText(
    'afterAll',
    '\nCommands use the summit in DATA_DIR (default: ./data), or in the database of DATABASE_URL if that is set.',
  )

summit
  .command('config')
  .description('print every setting with its value and source')
  .action(async () => (await import('./commands/config.ts')).printConfig())

const imports = summit.command('import').description('import a program, participants or images')
imports
  .command('program')
  .description('schedule.xml or schedule.json (frab, voc, pretalx), Sessionize JSON, or CSV')
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
  .action(async (file, options) => (await import('./commands/import-program.ts')).importProgram(file, options))
imports
  .command('participants')
  .description('a spreadsheet exported as CSV')
  .argument('<file>')
  .option('--apply', 'apply the plan; without this, it is only printed')
  .option('--all', 'show every change, not only the first 20 of each kind')
  .action(async (file, options) =>
    (await import('./commands/import-participants.ts')).importParticipants(file, options),
  )
imports
  .command('images')
  .description('banners and photos named <event id or guid>.banner.jpg and <event id or guid>.photo.png')
  .argument('<folder>')
  .option('--source <name>', 'match only guids of this program')
  .action(async (folder, options) => (await import('./commands/import-images.ts')).importImages(folder, options))

summit
  .command('export')
  .description('write a whole list as CSV or JSON')
  .addArgument(new Argument('<list>').choices(exportedListNames))
  .addOption(new Option('--format <format>').choices(['csv', 'json']).default('csv'))
  .option('--out <file>', 'new file to write; standard output if omitted')
  .action(async (list, options) => (await import('./commands/export.ts')).exportList(list, options))

summit
  .command('check')
  .description('read every row and stored file, and list what is damaged or missing (servers may keep running)')
  .action(async () => (await import('./commands/check.ts')).check())

summit
  .command('sweep')
  .description('list unreferenced files older than a day, such as power cuts and replaced pictures leave behind')
  .option('--apply', 'remove them; without this, they are only listed')
  .option('--all', 'list all of them, not only the first 20')
  .action(async (options) => (await import('./commands/sweep.ts')).sweep(options))

summit
  .command('move')
  .description('copy the summit to another location and verify the copy (stop all servers first)')
  .option('--to <target>', 'the new DATABASE_URL, or a folder such as /var/lib/summit/new or ./new')
  .option('--blobs <url>', 'the new BLOBS_URL, where files are stored')
  .action(async (options) => (await import('./commands/move.ts')).moveSummit(options))

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
