import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../../src/server/lifecycle/start/free-port.ts'
import { startServer } from '../server.ts'
import { directusRequest } from './directus/requests.ts'
import { createTables } from './directus/tables.ts'
import type { Peer } from './peer.ts'

/**
 * Directus (https://directus.io) provides a REST interface for the tables of a database, here SQLite. The data set is
 * in tables as a team would design them, and public access may read and create. Requests ask for the content of
 * Summit's responses, except the files of comments, of which the data set has none, and computed values: banner URLs
 * and days of the week. Directus records an activity and a revision for each write, as Summit records a change.
 * @param folder in which it is installed
 * @param node the Node executable that runs it
 */
export const directus = (folder: string, node: string): Peer => ({
  name: 'Directus',
  summitSettings: {},
  cacheSettings: { CACHE_ENABLED: 'true', CACHE_STORE: 'memory', CACHE_TTL: '1h', CACHE_AUTO_PURGE: 'true' },
  toRequest: directusRequest,
  start: async (workFolder, settings) => {
    mkdirSync(workFolder)
    const program = join(folder, 'node_modules/directus/cli.js')
    const port = await freePort({ host: '127.0.0.1', port: 0 })
    const file = join(workFolder, 'data.db')
    const environment = {
      ...{ DB_CLIENT: 'sqlite3', DB_FILENAME: file, SECRET: 'for this benchmark only', HOST: '127.0.0.1' },
      ...{ PORT: `${port}`, ADMIN_EMAIL: 'admin@example.org', ADMIN_PASSWORD: 'for this benchmark only' },
      ...{ TELEMETRY: 'false', NODE_ENV: 'production', STORAGE_LOCAL_ROOT: join(workFolder, 'uploads') },
      // By default it rejects requests when its event loop is delayed, which it is under load.
      ...{ HOME: workFolder, LOG_STYLE: 'raw', PRESSURE_LIMITER_ENABLED: 'false', ...settings },
    }
    await promisify(execFile)(node, [program, 'bootstrap'], {
      cwd: workFolder,
      env: { PATH: process.env.PATH, ...environment },
    })
    createTables(file)
    return startServer(program, ['start'], environment, join(workFolder, 'log'), node)
  },
})
