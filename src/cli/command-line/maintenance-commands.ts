import type { Command } from 'commander'
import type { LoadForCommand } from '../load-for-command.ts'

/** Defines `summit check`, `doctor`, `sweep` and `move`, for the upkeep of an installation. */
export function addMaintenanceCommands(summit: Command, load: LoadForCommand, environment: NodeJS.ProcessEnv): void {
  summit
    .command('check')
    .description('read every row and stored file, and list what is damaged or missing (servers may keep running)')
    .action(async () => (await import('../commands/check.ts')).check((await load()).config))

  summit
    .command('doctor')
    .description('find problems with the installation, and say how to solve them (servers may keep running)')
    .action(async () => (await import('../commands/doctor.ts')).doctor(environment, summit.opts()))

  summit
    .command('sweep')
    .description('list orphaned files (no record refers to them) older than a day, as a power failure may leave')
    .option('--apply', 'remove them; without this, they are only listed')
    .option('--all', 'list all of them, not only the first 20')
    .action(async (options) => (await import('../commands/sweep.ts')).sweep((await load()).config, options))

  summit
    .command('move')
    .description('copy the summit to another location and verify the copy (stop all servers first)')
    .option('--to <target>', 'the new DATABASE_URL, or a folder such as /var/lib/summit/new or ./new')
    .option('--blobs <url>', 'the new BLOBS_URL, where files are stored')
    .option('--revoke', 'after a move, use the old copy again')
    .action(async ({ revoke, ...options }) => {
      const loaded = await load()
      if (revoke) await (await import('../commands/revoke-move.ts')).revokeMove(loaded.config)
      else await (await import('../commands/move.ts')).moveSummit(loaded, options)
    })
}
