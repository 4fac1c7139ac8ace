import type { Limits } from '../contract/limits.ts'
import { type Config, readConfig } from '../server/config.ts'
import { type Context, createContext } from '../server/context.ts'
import { OperatorError } from '../server/core/operator-error.ts'
import { inDataDir } from '../server/data-dir/data-dir.ts'
import { describeDatabase, isInitialized } from '../server/db/initialized.ts'
import type { DatabaseTarget } from '../server/db/target.ts'
import { assertDatabasePresent } from '../server/lifecycle/lost-database.ts'
import { assertNoUnfinishedMove } from '../server/lifecycle/unfinished-move.ts'

/** How long what is imported may be. */
export const configuredLimits = (): Limits => readConfig(process.env).config.limits

/**
 * How long a statement of a command may take, in milliseconds: nobody waits for an answer, and all of a table may be
 * read.
 */
export const commandStatementMs = 60_000

/**
 * Opens what the configuration names, runs a command on it, and closes it again. A server may run at the same time.
 * @param whereMissing runs first where there is no summit yet; if it returns false, that was all
 * @throws OperatorError where there is none, unless `whereMissing` has it otherwise
 */
export async function withContext(command: Command, whereMissing: WhereMissing = refuse): Promise<void> {
  const { config } = readConfig(process.env)
  await inDataDir(config.dataDir, () => onContext(config, command, whereMissing))
}

/**
 * Runs a command that opens for itself what the configuration names, and makes nothing.
 * @throws OperatorError where there is no summit
 */
export async function withConfig(command: (config: Config) => Promise<void>): Promise<void> {
  const { config } = readConfig(process.env)
  await inDataDir(config.dataDir, async () => {
    await assertDatabasePresent(config)
    await refuseMissing(config.database)
    await command(config)
  })
}

type Command = (ctx: Context) => Promise<void>

/** @param place how it is called in a sentence @returns whether a summit begins there with this command */
type WhereMissing = (place: string) => boolean

async function onContext(config: Config, command: Command, whereMissing: WhereMissing): Promise<void> {
  await assertDatabasePresent(config)
  if (!(await isInitialized(config.database)) && !whereMissing(describeDatabase(config.database))) return
  const ctx = await createContext(config, { statementMs: commandStatementMs })
  try {
    await assertNoUnfinishedMove(ctx.database)
    await command(ctx)
  } finally {
    await ctx.close()
  }
}

/** A place with a slip in its name is not to become a summit of its own. @throws OperatorError */
export async function refuseMissing(place: DatabaseTarget): Promise<void> {
  if (!(await isInitialized(place))) refuse(describeDatabase(place))
}

function refuse(place: string): never {
  throw new OperatorError(`There is no summit in ${place}.`)
}
