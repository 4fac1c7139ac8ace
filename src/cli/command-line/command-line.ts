import { Command } from 'commander'
import { commandName } from '../../server/core/command-name.ts'
import { hasCode } from '../../server/core/errors.ts'
import { version } from '../../server/core/version.ts'
import type { LoadForCommand } from '../load-for-command.ts'
import { addExportCommand, addImportCommands, addPostCommands } from './content-commands.ts'
import { addKeyCommands, addOrganizerCommands, addParticipantCommands } from './people-commands.ts'
import { addAuditCommands, addBackupCommands, addMaintenanceCommands } from './upkeep-commands.ts'

/**
 * The command line of Summit. Commands are imported on demand, so that each starts quickly.
 * @param environment receives those variables of the settings file that libraries read from the environment
 */
function createCommandLine(environment: NodeJS.ProcessEnv): Command {
  const summit = new Command('summit')
    .description(
      'Operate Summit, the back end of a conference app. Settings are in summit.env or the environment; see: summit config',
    )
    .option('--data-dir <folder>', 'work on the summit in this folder, instead of the one in DATA_DIR')
    .option('--env-file <file>', 'read the settings from this file (default: summit.env, if there is one)')
    .configureHelp({ showGlobalOptions: true })
    .version(version)
    .addHelpText(
      'afterAll',
      '\nCommands work on the summit that a server with the same settings serves: the one in DATA_DIR (default: ./data), or ' +
        'in the database of DATABASE_URL if that is set. Each command first names it.',
    )

  const load: LoadForCommand = async () =>
    (await import('../load-for-command.ts')).loadForCommand(environment, summit.opts(), summit.args)

  summit
    .command('serve', { isDefault: true })
    .description('serve the summit until stopped (the default command)')
    .option('--empty', 'begin a new summit without the sample data')
    .allowExcessArguments()
    .action(async ({ empty }, { args: [unknown] }) => {
      if (unknown !== undefined) summit.error(`error: unknown command '${unknown}'; to list them: ${commandName} help`)
      await (await import('../../server/lifecycle/serve-summit.ts')).serveSummit(environment, {
        ...summit.opts(),
        empty,
      })
    })

  summit
    .command('config')
    .description('print every setting with its value and source')
    .action(async () => (await import('../commands/config.ts')).printConfig(environment, summit.opts()))

  addImportCommands(summit, load)
  addExportCommand(summit, load)
  addParticipantCommands(summit, load)
  addPostCommands(summit, load)
  addKeyCommands(summit, load)
  addOrganizerCommands(summit, load)
  addAuditCommands(summit, load)
  addBackupCommands(summit, load)
  addMaintenanceCommands(summit, load, environment)

  // Commander's own `help` command prints the help of `key` for `help key create`, so it is replaced. The `help` of
  // each subcommand stays.
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

/**
 * Runs `summit …`. If it fails, prints the reason and sets the exit code.
 * @param environment see {@link createCommandLine}
 */
export async function runCommandLine(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  // Data and exports are readable by this user only.
  process.umask(0o077)

  try {
    await createCommandLine(environment).parseAsync(args, { from: 'user' })
  } catch (error) {
    const { explain } = await import('../../server/lifecycle/start/explain.ts')
    console.error(explain(error))
    process.exitCode = 1
  }
}
