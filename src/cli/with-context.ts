import type { Limits } from '../contract/limits.ts'
import { type Config, readConfig } from '../server/config.ts'
import { type Context, createContext } from '../server/context.ts'
import { inDataDir } from '../server/data-dir.ts'
import type { DatabasePlace } from '../server/db/place.ts'
import { isSummitAt, nameOf } from '../server/db/presence.ts'
import { refuseLostDatabase } from '../server/lost-database.ts'
import { refuseUnfinishedMove } from '../server/move/unfinished.ts'
import { OperatorError } from '../server/operator-error.ts'

/** How long what is imported may be. */
export const configuredLimits = (): Limits => readConfig(process.env).config.limits

/** Where the summit is, or would begin. */
export const configuredPlace = (): DatabasePlace => readConfig(process.env).config.database

/** How long a statement of a command may take, in milliseconds: nobody waits for an answer, and all of a table may be read. */
export const commandStatementMs = 60_000

/**
 * Opens what the configuration names, runs a command on it, and closes it again. A server may run at the same time.
 * @param mayBegin whether a summit that is not there yet begins with this
 * @throws OperatorError when there is none and it does not
 */
export async function withContext<T>(command: (ctx: Context) => Promise<T>, { mayBegin = false } = {}): Promise<T> {
  const { config } = readConfig(process.env)
  return inDataDir(config.dataDir, () => onContext(config, command, mayBegin))
}

async function onContext<T>(config: Config, command: (ctx: Context) => Promise<T>, mayBegin: boolean): Promise<T> {
  const { database } = config
  await refuseLostDatabase(config)
  if (!mayBegin) await refuseMissing(database)
  else if (!(await isSummitAt(database)))
    console.error(`There was no summit in ${nameOf(database)} yet; it begins with this.`)
  const ctx = await createContext(config, { statementMs: commandStatementMs })
  try {
    await refuseUnfinishedMove(ctx.database)
    return await command(ctx)
  } finally {
    await ctx.close()
  }
}

/** A place with a slip in its name is not to become a summit of its own. @throws OperatorError */
export async function refuseMissing(place: DatabasePlace): Promise<void> {
  if (!(await isSummitAt(place))) throw new OperatorError(`There is no summit in ${nameOf(place)}.`)
}
