import { Argument, type Command, Option } from 'commander'
import { exportedListNames } from '../../server/domains/export/list-names.ts'
import { supportedFormats } from '../../server/domains/import/program-formats.ts'
import { dayOrders } from '../../server/domains/import/times/written-dates.ts'
import type { LoadForCommand } from '../load-for-command.ts'

const encodingHelp = 'encoding of the files, such as gb18030 or windows-1250 (default: as they say, or else UTF-8)'

/** Defines `summit import`, which also lists and undoes imports. */
export function addImportCommands(summit: Command, load: LoadForCommand): void {
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
    .option('--only-days', 'the file speaks only for the days that it has: leave sessions of other days alone')
    .addOption(
      new Option('--partial', 'the file speaks only for the sessions that it has: leave all others alone').conflicts(
        'onlyDays',
      ),
    )
    .option('--replace', 'the file is the whole program, even if most sessions imported before are missing from it')
    .option('--draft', 'write sessions as drafts, which only editors see until they publish them')
    .option('--venues <file>', 'names of the rooms, for a spreadsheet that has only their numbers')
    .option('--speakers <file>', 'names of the speakers, for a spreadsheet that has only their numbers')
    .option('--encoding <name>', encodingHelp)
    .option('--first-day <date>', 'YYYY-MM-DD, for a spreadsheet with days such as "Thursday", "Day 1" or "14.3."')
    .action(async (file, options) =>
      (await import('../commands/import-program.ts')).importProgram((await load()).config, file, {
        ...options,
        typed: { settings: summit.opts(), args: summit.args },
      }),
    )
  imports
    .command('participants')
    .description('import a spreadsheet of participants, an Excel workbook (.xlsx) or CSV')
    .argument('<file>')
    .option('--apply', 'apply the plan; without this, the plan is only printed')
    .option('--all', 'show every change, not only the first 20 of each kind')
    .option('--same-person', 'a row with a new e-mail address is the participant with its employee number or name')
    .option('--encoding <name>', encodingHelp)
    .action(async (file, options) =>
      (await import('../commands/import-participants.ts')).importParticipants((await load()).config, file, options),
    )
  imports
    .command('images')
    .description('import banners and photos of sessions, and photos of people, matched by their file names')
    .argument('<folder>')
    .option('--apply', 'apply the plan; without this, the plan is only printed')
    .option('--all', 'show every change, not only the first 20 of each kind')
    .option('--source <name>', 'attach images only to sessions of this program')
    .action(async (folder, options) =>
      (await import('../commands/import-images.ts')).importImages((await load()).config, folder, options),
    )

  imports
    .command('list')
    .description('list the imports that have been applied, newest first')
    .action(async () => (await import('../commands/applied-imports.ts')).printImports((await load()).config))
  imports
    .command('undo')
    .description('undo an import: delete the records that it created, and restore those that it changed')
    .argument('<id>', 'id of the import; to find it: summit import list')
    .option('--apply', 'apply the plan; without this, the plan is only printed')
    .option('--all', 'show every change, not only the first 20 of each kind')
    .option('--keep-changed', 'leave records that were changed since, or are in use, as they are')
    .action(async (id, options) =>
      (await import('../commands/applied-imports.ts')).undo((await load()).config, id, options),
    )
}

/** Defines `summit export`. */
export function addExportCommand(summit: Command, load: LoadForCommand): void {
  summit
    .command('export')
    .description('write a whole list as CSV or JSON, or the sessions as CSV to edit and import again')
    .addArgument(new Argument('<list>').choices([...exportedListNames, 'sessions']))
    .addOption(new Option('--format <format>').choices(['csv', 'json']).default('csv'))
    .option('--out <file>', 'new file to write; standard output if omitted')
    .action(async (list, options) =>
      (await import('../commands/export.ts')).exportList((await load()).config, list, options),
    )
}

/** Defines `summit feedback`, `summit topic` and `summit comment`, which delete and restore single records. */
export function addPostCommands(summit: Command, load: LoadForCommand): void {
  summit
    .command('feedback')
    .description('delete feedback for good')
    .command('delete')
    .description('delete one feedback entry')
    .argument('<id>', 'id of the entry; to find it: summit export feedback')
    .option('--apply', 'delete the entry; without this, it is only printed')
    .action(async (id, options) =>
      (await import('../commands/posts.ts')).removeFeedback((await load()).config, id, options),
    )

  for (const kind of ['topic', 'comment'] as const) {
    const posts = summit.command(kind).description(`list deleted ${kind}s, and restore one`)
    posts
      .command('deleted')
      .description(`list deleted ${kind}s, latest deletion first`)
      .action(async () => (await import('../commands/posts.ts')).printDeleted((await load()).config, kind))
    posts
      .command('restore')
      .description(`restore a deleted ${kind}, with its files`)
      .argument('<id>', `id of the ${kind}; to find it: summit ${kind} deleted`)
      .action(async (id) => (await import('../commands/posts.ts')).restore((await load()).config, kind, id))
  }
}
