import type { Command } from 'commander'
import type { LoadForCommand } from '../load-for-command.ts'

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
      (await import('../commands/delete-feedback.ts')).removeFeedback((await load()).config, id, options),
    )

  for (const kind of ['topic', 'comment'] as const) {
    const posts = summit.command(kind).description(`list deleted ${kind}s, and restore one`)
    posts
      .command('deleted')
      .description(`list deleted ${kind}s, latest deletion first`)
      .action(async () => (await import('../commands/deleted-posts.ts')).printDeleted((await load()).config, kind))
    posts
      .command('restore')
      .description(`restore a deleted ${kind}, with its files`)
      .argument('<id>', `id of the ${kind}; to find it: summit ${kind} deleted`)
      .action(async (id) => (await import('../commands/deleted-posts.ts')).restore((await load()).config, kind, id))
  }
}
