import { createApp } from '../../app.ts'
import type { ScratchServer } from '../../commands/backup/served-pages.ts'
import { readConfig } from '../../config/config.ts'
import { createContext } from './create-context.ts'

/**
 * Starts a server in this process on the summit in a scratch folder. It listens nowhere, because anyone on this machine
 * could connect to it.
 * @throws CannotOpen
 */
export async function startScratchServer(dir: string): Promise<ScratchServer> {
  const { config } = readConfig({ DATA_DIR: dir, LOG_LEVEL: 'silent' })
  // A copy has no keys.
  const ctx = await createContext(config, { warn: () => {} })
  const app = await createApp(ctx)
  return {
    get: async (path) => (await app.inject(path)).body,
    [Symbol.asyncDispose]: async () => {
      await app.close()
      await ctx.close()
    },
  }
}
