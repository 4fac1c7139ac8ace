import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { createApp } from '../../src/server/app.ts'
import { readConfig } from '../../src/server/config/config.ts'
import { attendeePages } from '../../src/server/http/pages/attendee/mount.ts'
import { writes } from '../../src/server/http/random-writes.fixtures.ts'
import { createContext } from '../../src/server/lifecycle/start/create-context.ts'
import { publicUrl } from '../access/app-with-keys.ts'
import { createTestStorage, type TestApp, type TestStorage } from '../app.ts'
import { startServer } from '../faults/server-process.ts'
import * as make from '../make.ts'
import { allAddresses } from './addresses.ts'
import {
  expectExactAfterWrites,
  expectExactPages,
  modes,
  PageReader,
  type Servers,
  startServers,
  timedStep,
  withViewers,
} from './audience.fixtures.ts'

test.each(modes)('in the mode %s every page is that of its audience after each of 10 writes', (mode) =>
  expectExactAfterWrites(mode, { writes: 10 }),
)

/** A server in this process without a cache, on the clock of the others. */
async function startUncached({ dataDir, settings }: TestStorage, access: string): Promise<TestApp> {
  const { config } = readConfig({
    ...settings,
    ACCESS: access,
    PUBLIC_URL: publicUrl,
    PAGE_CACHE_BYTES: '0',
    PORT: '0',
    LOG_LEVEL: 'silent',
    WRITES_PER_MINUTE: '0',
  })
  const ctx = await createContext(config)
  const app = await createApp(ctx)
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const leaveAsItIs = () => {}
  return {
    url,
    client: createClient(url),
    ctx,
    dataDir,
    settings,
    advance: leaveAsItIs,
    setClock: leaveAsItIs,
    [Symbol.asyncDispose]: async () => {
      app.server.closeAllConnections()
      await app.close()
      await ctx.close()
    },
  }
}

test.each([
  ['public', '1'],
  ['members', '4'],
] as const)(
  'in the mode %s a server with %s workers shows every page as it is after each of 8 writes',
  async (mode, WORKERS) => {
    await using storage = await createTestStorage()
    await using app = await startUncached(storage, mode)
    const { t, viewers } = await withViewers(app, mode)
    await using server = await startServer(storage.dataDir, {
      ...storage.settings,
      ACCESS: mode,
      PUBLIC_URL: publicUrl,
      WORKERS,
    })
    const paths = await allAddresses(
      attendeePages.map(({ path }) => path),
      t.client,
      2,
    )
    const servers = { t, viewers, paths, uncached: app.url, cached: [server.url] }
    const reader = new PageReader()
    for (const { write } of fc.sample(timedStep, 8)) {
      await Promise.resolve(writes[write.kind](t.client, write, t)).catch(() => {})
      // Whichever worker gets a request: most connections of `fetch` stay open, so several readers look twice.
      await expectExactPages(servers, reader)
      await Promise.all(viewers.map((viewer) => reader.read(server.url, paths[0] ?? '/', viewer)))
      await expectExactPages(servers, reader)
    }
    expect(server.stderr()).toBe('')
  },
)

/** The moments around the start and the end of the first session, and of midnight before. */
const moments = ['2030-05-01T23:59:59.999Z', '2030-05-02T00:00:00Z', '2030-05-02T08:59:59.999Z'].concat([
  '2030-05-02T09:00:00Z',
  '2030-05-02T09:59:59.999Z',
  '2030-05-02T10:00:00Z',
  '2030-05-03T00:00:00Z',
])

/** What is on a page at each of these moments, which all servers agree about. */
async function readAtEachMoment(servers: Servers, path: string): Promise<string[]> {
  const reader = new PageReader()
  const [url = ''] = servers.cached
  const texts: string[] = []
  for (const moment of moments) {
    servers.t.setClock(Date.parse(moment) - servers.t.ctx.clock())
    await expectExactPages(servers, reader)
    texts.push((await reader.read(url, path, { name: 'somebody', headers: {} })).text)
  }
  return texts
}

test('when a session begins or ends, and at midnight, pages of the program are what they would be without a cache', async () => {
  await using all = await startServers('public')
  const servers = { ...all, paths: all.paths.filter((path) => /^\/(?:$|program|sessions)/.test(path)) }
  // The other events have parts, of which nobody knows when they end.
  await make.event(servers.t, { title: 'Keynote' })
  const texts = await readAtEachMoment(servers, '/')
  const [, , before, during, , after] = texts
  expect(during, 'the first page during a session').not.toBe(before)
  expect(after, 'the first page after it').not.toBe(during)
})
