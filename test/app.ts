import { rmSync } from 'node:fs'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Client } from '../src/client/client.ts'
import { createApp } from '../src/server/app.ts'
import { type Config, readConfig } from '../src/server/config/config.ts'
import type { Context } from '../src/server/context.ts'
import { serve } from '../src/server/lifecycle/serve.ts'
import { type ContextOptions, createContext } from '../src/server/lifecycle/start/create-context.ts'
import { PictureDrawer } from '../src/server/platform/images/picture-drawer.ts'
import { requestStatementMs } from '../src/server/storage/db/postgres/connections.ts'
import { createTestClient, isAtPersonalUrl, issuePersonalUrl, membersSettings } from './access/at-personal-url.ts'
import { acquireDatabase, createEmptyDatabase } from './databases.ts'

/** The data of a summit: a folder with a SQLite database, or a folder and a PostgreSQL database. Removed with the test. */
export interface TestStorage extends AsyncDisposable {
  dataDir: string
  /** Environment variables that make a server or command use this summit. */
  settings: Record<string, string>
}

/** A real server on a real database, stopped when the test ends (`await using`). */
export interface TestApp extends AsyncDisposable {
  /** The part of the path before `/api`. */
  url: string
  client: Client
  ctx: Context
  dataDir: string
  /** Environment variables that make a command use the same summit. */
  settings: Record<string, string>
  /** Lets time pass for the server. */
  advance(ms: number): void
  /** Sets the server's clock forward, or back, while no time passes. */
  setClock(ms: number): void
}

/** The time at which every test starts: 2030-05-01 09:00:00 UTC. */
export const startOfTest = Date.parse('2030-05-01T09:00:00Z')

/** How long the database lets a statement run. */
type StatementLimit = Pick<ContextOptions, 'statementMs'>

/** That of a server in production, for the tests of it. */
export const requestLimit: StatementLimit = { statementMs: requestStatementMs }

/** That of all other tests: a busy machine may stall for seconds. */
const patient: StatementLimit = { statementMs: 60_000 }

/** Shared by all tests of a process, as it takes longer to start than most of them. */
const drawer = new PictureDrawer()

/** The bytes of a migrated database. Copying them is faster than migrating one for each test. */
let migrated: Promise<Buffer> | undefined

async function migratedFile(): Promise<Buffer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'summit-test-migrated-'))
  const { config } = readConfig({ DATA_DIR: dataDir })
  await (await createContext(config)).close()
  // The last connection to close is read-only, and does not checkpoint the write-ahead log.
  const database = new DatabaseSync(join(dataDir, 'summit.db'))
  database.exec('pragma wal_checkpoint(truncate)')
  database.close()
  const bytes = await readFile(join(dataDir, 'summit.db'))
  rmSync(dataDir, { recursive: true, force: true })
  return bytes
}

/** The data of a summit that several servers can use. @param isMigrated whether its database has tables */
export async function createTestStorage({ isMigrated = true } = {}): Promise<TestStorage> {
  const dataDir = await mkdtemp(join(tmpdir(), 'summit-test-'))
  const database = isMigrated ? await acquireDatabase() : await createEmptyDatabase()
  if (!database && isMigrated) {
    migrated ??= migratedFile()
    await writeFile(join(dataDir, 'summit.db'), await migrated)
  }
  return {
    dataDir,
    settings: { DATA_DIR: dataDir, ...(database && { DATABASE_URL: database.url }) },
    [Symbol.asyncDispose]: async () => {
      await database?.release()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** @param settings environment variables of the server, besides those that are always set */
export async function startTestApp(settings: Record<string, string> = {}, limit = patient): Promise<TestApp> {
  const storage = await createTestStorage()
  const app = await startTestAppOn(storage, settings, limit)
  return {
    ...app,
    [Symbol.asyncDispose]: async () => {
      await app[Symbol.asyncDispose]()
      await storage[Symbol.asyncDispose]()
    },
  }
}

/** Serves a summit that exists longer than the server. */
export async function startTestAppOn(
  { dataDir, settings: storage }: TestStorage,
  settings: Record<string, string> = {},
  limit = patient,
): Promise<TestApp> {
  const logLevel = process.env.TEST_LOG_LEVEL ?? 'silent'
  const members = isAtPersonalUrl && !settings.ACCESS ? await membersSettings() : {}
  // The clock stands still: whoever reaches a limit could never write again.
  const unlimited = { WRITES_PER_MINUTE: '0' }
  const { config } = readConfig({ ...storage, PORT: '0', LOG_LEVEL: logLevel, ...unlimited, ...members, ...settings })
  let now = startOfTest
  let uptime = 0
  const serving = await serve(config, { clock: () => now, uptime: () => uptime, drawer, ...limit })
  const url = await apiUrl(serving.address, serving.ctx)
  return {
    url,
    client: createTestClient(url),
    ctx: serving.ctx,
    dataDir,
    settings: storage,
    advance: (ms) => {
      now += ms
      uptime += ms
    },
    setClock: (ms) => {
      now += ms
    },
    [Symbol.asyncDispose]: () => serving.close(),
  }
}

const apiUrl = async (address: string, ctx: Context): Promise<string> =>
  isAtPersonalUrl && ctx.config.access === 'members' ? address + (await issuePersonalUrl(ctx)) : address

/** Starts another server on the same data and clock, as another process would. @param settings those that differ */
export async function startOtherServer(
  t: Pick<TestApp, 'ctx'>,
  settings: Partial<Config> = {},
): Promise<Pick<TestApp, 'url' | 'client' | 'ctx'> & AsyncDisposable> {
  const { clock, config } = t.ctx
  const ctx = await createContext({ ...config, ...settings }, { clock, uptime: clock, drawer, ...patient })
  const app = await createApp(ctx)
  const url = await apiUrl(await app.listen({ host: '127.0.0.1', port: 0 }), ctx)
  return {
    url,
    client: createTestClient(url),
    ctx,
    [Symbol.asyncDispose]: async () => {
      // Clients of the tests keep their connections open.
      app.server.closeAllConnections()
      await app.close()
      await ctx.close()
    },
  }
}
