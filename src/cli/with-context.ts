import type { Config } from '../server/config/config.ts'
import type { Context } from '../server/context.ts'
import { commandName } from '../server/core/command-name.ts'
import { OperatorError } from '../server/core/errors.ts'
import { createContext } from '../server/lifecycle/start/create-context.ts'
import { assertDatabasePresent } from '../server/lifecycle/start/lost-database.ts'
import { assertNotMoved, rejectWritesOnceMoved } from '../server/lifecycle/start/moved.ts'
import { assertNoUnfinishedMove } from '../server/lifecycle/start/unfinished-move.ts'
import { ledgerFileIn } from '../server/log/ledger/ledger-file.ts'
import { inDataDir } from '../server/storage/data-dir/data-dir.ts'
import { describeDatabase, isInitialized } from '../server/storage/db/initialized.ts'
import { lockForMaintenance } from '../server/storage/db/locks.ts'
import type { DatabaseTarget } from '../server/storage/db/target.ts'
import { reasonOf } from './reason.ts'

/**
 * How long a statement of a command may take, in milliseconds. It is long because no client is waiting, and a statement
 * may read a whole table.
 */
export const commandStatementMs = 60_000

/**
 * Opens the configured summit, runs a command on it, and closes it. A server may run at the same time.
 * @param onMissing called if there is no summit yet; the command only runs, on a new summit, if it returns true
 * @throws OperatorError if there is no summit and no `onMissing` is given
 */
export async function withContext(
  config: Config,
  command: Command,
  onMissing: OnMissing = throwNoSummit,
): Promise<void> {
  await inDataDir(config.dataDir, () => runOnContext(config, command, onMissing))
}

/**
 * Runs a command that opens the configured summit itself and creates nothing.
 * @throws OperatorError if there is no summit
 */
export async function withExistingSummit(config: Config, command: () => Promise<void>): Promise<void> {
  await inDataDir(config.dataDir, async () => {
    await assertDatabasePresent(config)
    await assertInitialized(config.database)
    await command()
  })
}

type Command = (ctx: Context) => Promise<void>

/** @param location as named in messages @returns whether to create a summit there */
type OnMissing = (location: string) => boolean

async function runOnContext(config: Config, command: Command, onMissing: OnMissing): Promise<void> {
  await assertDatabasePresent(config)
  if (!(await isInitialized(config.database)) && !onMissing(describeDatabase(config.database))) return
  const ctx = await createContext(config, {
    statementMs: commandStatementMs,
    onMissingEntry: (cause) => warnOfMissingEntry(config, cause),
  })
  try {
    await assertNoUnfinishedMove(ctx.database.read)
    await assertNotMoved(ctx.database.read)
    await command({ ...ctx, database: rejectWritesOnceMoved(ctx.database) })
  } finally {
    await ctx.close()
  }
}

/** The command goes on: the operator needs its result, such as the secret of a new key, as its change is stored. */
function warnOfMissingEntry({ dataDir }: Config, cause: unknown): void {
  console.error(
    `WARNING: The change was made, but its line is missing from ${ledgerFileIn(dataDir)}: ${reasonOf(cause)}. Until the ` +
      'line is there, restoring an older backup undoes the change. Correct that file. A running server then adds the ' +
      `line within 5 seconds, and otherwise the next start: ${commandName} serve`,
  )
  process.exitCode = 1
}

/** A mistyped location must not become a new summit. @throws OperatorError if there is no summit */
export async function assertInitialized(target: DatabaseTarget): Promise<void> {
  if (!(await isInitialized(target))) throwNoSummit(describeDatabase(target))
}

function throwNoSummit(location: string): never {
  throw new OperatorError(`No summit found in ${location}.`)
}

/** Runs work that removes stored files, once no backup is copying them. */
export async function withMaintenanceLock<T>({ database }: Config, work: () => Promise<T>): Promise<T> {
  const release = await lockForMaintenance(database, () =>
    console.error('Waiting for a backup, or for another command that removes files, to finish…'),
  )
  try {
    return await work()
  } finally {
    await release()
  }
}
