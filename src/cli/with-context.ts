import { existsSync } from 'node:fs'
import type { Limits } from '../contract/limits.ts'
import { readConfig } from '../server/config.ts'
import { type Context, createContext } from '../server/context.ts'
import { refuseUnfinishedMove } from '../server/move/unfinished.ts'

/** How long what is imported may be. */
export const configuredLimits = (): Limits => readConfig(process.env).config.limits

/** Opens what the configuration names, runs a command on it, and closes it again. A server may run at the same time. */
export async function withContext<T>(command: (ctx: Context) => Promise<T>): Promise<T> {
  const { config } = readConfig(process.env)
  if (config.database.kind === 'folder' && !existsSync(config.dataDir))
    console.error(`There was no summit in ${config.dataDir} yet; it begins with this.`)
  const ctx = await createContext(config)
  try {
    await refuseUnfinishedMove(ctx.database)
    return await command(ctx)
  } finally {
    await ctx.close()
  }
}
