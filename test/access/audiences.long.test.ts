import { expect, test } from 'vitest'
import { roles } from '../../src/contract/access.ts'
import { readConfig } from '../../src/server/config/config.ts'
import { createContext } from '../../src/server/lifecycle/start/create-context.ts'
import { createTestStorage, startOtherServer } from '../app.ts'
import { startServer } from '../faults/server-process.ts'
import { publicUrl, withKeys } from './app-with-keys.ts'
import { expectNoLeaks, type SummitWithKeys } from './audiences.ts'

const advance = () => {
  throw new Error('processes of their own have a clock of their own')
}

/** A server with a cache and some workers in processes of their own, and one without a cache in this process. */
async function startSummit(access: string, workers: number): Promise<SummitWithKeys> {
  await using stack = new AsyncDisposableStack()
  const storage = stack.use(await createTestStorage())
  const settings = { ...storage.settings, ACCESS: access, PUBLIC_URL: publicUrl, LOG_LEVEL: 'error' }
  const server = stack.use(await startServer(storage.dataDir, { ...settings, WORKERS: String(workers) }))
  const { config } = readConfig({ ...settings, PAGE_CACHE_BYTES: '0' })
  const ctx = await createContext(config)
  stack.defer(() => ctx.close())
  const { url } = stack.use(await startOtherServer({ ctx }))
  const disposal = stack.move()
  // Commands run in this process, and requests are sent to the other.
  const { dataDir } = storage
  const t = await withKeys({
    ctx,
    url: server.url,
    client: server.client,
    dataDir,
    settings,
    advance,
    setClock: advance,
    [Symbol.asyncDispose]: () => disposal.disposeAsync(),
  })
  return {
    t,
    cached: server.url,
    uncached: url,
    [Symbol.asyncDispose]: async () => {
      await disposal.disposeAsync()
      expect(server.stderr()).toBe('')
    },
  }
}

test.each([
  ['public', 1],
  ['members', 4],
])(
  'where ACCESS is %s, with %i workers, everyone reads from a cache what they would without it, after long histories',
  (access, workers) =>
    expectNoLeaks(() => startSummit(access, workers), {
      ...{ batches: { minLength: 10, maxLength: 14 }, numRuns: 1 },
      ...{ roles, ofEachRead: 10 },
    }),
)
