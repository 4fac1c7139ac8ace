import { requestLimit, startTestAppOn, type TestApp } from '../app.ts'
import { createDataFolder } from '../faults/create-data-folder.ts'
import type { PostgresServer } from './server.ts'

let created = 0

/** A summit on a database of its own. */
interface AppOnServer extends TestApp {
  /** The name of its database. */
  database: string
}

/** @param port of a proxy to the server */
export async function startAppOnServer(server: PostgresServer, port = server.port): Promise<AppOnServer> {
  const folder = await createDataFolder()
  const database = `summit_${++created}`
  await server.query(`create database ${database}`)
  const url = new URL(server.url(database))
  url.port = String(port)
  const settings = { DATA_DIR: folder.dir, DATABASE_URL: url.href }
  const app = await startTestAppOn({ dataDir: folder.dir, settings, ...folder }, {}, requestLimit)
  return {
    ...app,
    database,
    [Symbol.asyncDispose]: async () => {
      await app[Symbol.asyncDispose]()
      await folder[Symbol.asyncDispose]()
    },
  }
}
