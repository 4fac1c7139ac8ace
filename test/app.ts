import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Client, createClient } from '../src/client/client.ts'
import { readConfig } from '../src/server/config/config.ts'
import { type Context, createContext } from '../src/server/context.ts'
import { PictureDrawer } from '../src/server/images/picture-drawer.ts'
import { serve } from '../src/server/lifecycle/serve.ts'
import { newDatabase, takeDatabase } from './databases.ts'

/** Where a summit is: a folder, and a database in it or on the server that the tests share. Gone when the test ends. */
export interface TestPlace extends AsyncDisposable {
  dataDir: string
  /** What a server or command needs to be told to work on this summit. */
  settings: Record<string, string>
}

/** A real server on a real database, gone when the test ends (`await using`). */
export interface TestApp extends AsyncDisposable {
  url: string
  client: Client
  ctx: Context
  dataDir: string
  /** What a command needs to be told to work on the same summit. */
  settings: Record<string, string>
  /** Moves the server's clock. */
  advance(ms: number): void
}

/** The moment at which every test begins: 2030-05-01 09:00:00 UTC. */
export const startOfTest = Date.parse('2030-05-01T09:00:00Z')

/** One for all tests of a process: starting it takes longer than most of them. */
const drawer = new PictureDrawer()

/** The file of a database that has been migrated; writing it spares each test the migrations. */
let migrated: Promise<Buffer> | undefined

async function migratedFile(): Promise<Buffer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'summit-test-migrated-'))
  const { config } = readConfig({ DATA_DIR: dataDir })
  await (await createContext(config)).close()
  // Whoever closes last only reads, and leaves the log as it is.
  const database = new DatabaseSync(join(dataDir, 'summit.db'))
  database.exec('pragma wal_checkpoint(truncate)')
  database.close()
  const bytes = await readFile(join(dataDir, 'summit.db'))
  await rm(dataDir, { recursive: true, force: true })
  return bytes
}

/** A place for one summit, which may be served several times, or by several. @param isMigrated else its database is new */
export async function testPlace({ isMigrated = true } = {}): Promise<TestPlace> {
  const dataDir = await mkdtemp(join(tmpdir(), 'summit-test-'))
  const database = isMigrated ? await takeDatabase() : await newDatabase()
  if (!database && isMigrated) {
    migrated ??= migratedFile()
    await writeFile(join(dataDir, 'summit.db'), await migrated)
  }
  return {
    dataDir,
    settings: { DATA_DIR: dataDir, ...(database && { DATABASE_URL: database.url }) },
    [Symbol.asyncDispose]: async () => {
      await database?.giveBack()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** @param settings environment variables of the server, besides those that a test always sets */
export async function testApp(settings: Record<string, string> = {}): Promise<TestApp> {
  const place = await testPlace()
  const app = await testAppIn(place, settings)
  return {
    ...app,
    [Symbol.asyncDispose]: async () => {
      await app[Symbol.asyncDispose]()
      await place[Symbol.asyncDispose]()
    },
  }
}

/** Serves a place that outlives the server. */
export async function testAppIn(
  { dataDir, settings: place }: TestPlace,
  settings: Record<string, string> = {},
): Promise<TestApp> {
  const { config } = readConfig({ ...place, PORT: '0', LOG_LEVEL: 'silent', ...settings })
  let now = startOfTest
  const serving = await serve(config, { clock: () => now, drawer })
  return {
    url: serving.address,
    client: createClient(serving.address),
    ctx: serving.ctx,
    dataDir,
    settings: place,
    advance: (ms) => {
      now += ms
    },
    [Symbol.asyncDispose]: () => serving.close(),
  }
}
