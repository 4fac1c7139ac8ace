import { Argument, Command, Option } from 'commander'
import { ConfigError } from '../server/config.ts'
import { NewerSchema } from '../server/db/migrate.ts'
import { hasCode } from '../server/errors.ts'
import { exportedLists } from '../server/transfer/export.ts'
import { OperatorError } from './operator-error.ts'

/** What whoever typed the command can mend is one line; anything else is a bug and shows where. */
function explain(error: unknown): unknown {
  if (error instanceof OperatorError || error instanceof ConfigError || error instanceof NewerSchema)
    return error.message
  // A system error's own message names the file and what is wrong with it, as in "ENOENT: no such file …".
  return error instanceof Error && 'syscall' in error ? error.message : error
}

// Each command is loaded when it is the one that was typed.
const summit = new Command('summit').description(
  'Operates a Summit. Settings come from the environment; see: summit config',
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
  .option('--source <name>', 'which program it is, if the summit has several files', 'program')
  .action(async (file, options) => (await import('./commands/import-program.ts')).importProgram(file, options))
imports
  .command('participants')
  .description('a spreadsheet exported as CSV')
  .argument('<file>')
  .option('--apply', 'do it; without this the plan is only printed')
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
  .addArgument(new Argument('<list>').choices(Object.keys(exportedLists)))
  .addOption(new Option('--format <format>').choices(['csv', 'json']).default('csv'))
  .option('--out <file>', 'a new file; standard output without it')
  .action(async (list, options) => (await import('./commands/export.ts')).exportList(list, options))

// Whoever reads our output may stop reading, as `head` does.
process.stdout.on('error', (error) => process.exit(hasCode(error, 'EPIPE') ? 0 : 1))

// What is kept, and what is exported, is nobody else's to read on this machine.
process.umask(0o077)

try {
  await summit.parseAsync()
} catch (error) {
  console.error(explain(error))
  process.exitCode = 1
}
