import { Argument, type Command, Option } from 'commander'
import { exportedListNames } from '../../server/domains/export/list-names.ts'
import type { LoadForCommand } from '../load-for-command.ts'

/** Defines `summit export`. */
export function addExportCommand(summit: Command, load: LoadForCommand): void {
  summit
    .command('export')
    .description('write a whole list as CSV or JSON')
    .addArgument(new Argument('<list>').choices(exportedListNames))
    .addOption(new Option('--format <format>').choices(['csv', 'json']).default('csv'))
    .option('--out <file>', 'new file to write; standard output if omitted')
    .action(async (list, options) =>
      (await import('../commands/export.ts')).exportList((await load()).config, list, options),
    )
}
