import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../../test/free-port.ts'
import { startServer } from '../server.ts'
import { forDirectus } from './directus/requests.ts'
import { makeTables } from './directus/tables.ts'
import type { Peer } from './peer.ts'

/**
 * Directus (https://directus.io), a server that makes a REST interface of the tables of a database, on SQLite: the
 * data set in tables as a team would make them, which anybody may read and add to. What it is asked for holds what our
 * answers hold, less the files of comments, of which the data set has none, and what we compute: addresses of banners
 * and days of the week. It keeps an activity and a revision of each write, as we keep our log.
 * @param folder in which it is installed
 * @param node that it runs on
 */
export const directus = (folder: string, node: string): Peer => ({
  name: 'Directus',
  engine: {},
  keeping: { CACHE_ENABLED: 'true', CACHE_STORE: 'memory', CACHE_TTL: '1h', CACHE_AUTO_PURGE: 'true' },
  requestFor: forDirectus,
  start: async (work, chosen) => {
    mkdirSync(work)
    const program = join(folder, 'node_modules/directus/cli.js')
    const port = await freePort()
    const file = join(work, 'data.db')
    const settings = {
      ...{ DB_CLIENT: 'sqlite3', DB_FILENAME: file, SECRET: 'of this measurement only', HOST: '127.0.0.1' },
      ...{ PORT: `${port}`, ADMIN_EMAIL: 'admin@example.org', ADMIN_PASSWORD: 'of this measurement only' },
      ...{ TELEMETRY: 'false', NODE_ENV: 'production', STORAGE_LOCAL_ROOT: join(work, 'uploads'), HOME: work },
      // By itself it refuses requests when its event loop is late, as it is under load.
      ...{ LOG_STYLE: 'raw', PRESSURE_LIMITER_ENABLED: 'false', ...chosen },
    }
    await promisify(execFile)(node, [program, 'bootstrap'], { cwd: work, env: { PATH: process.env.PATH, ...settings } })
    makeTables(file)
    return startServer(program, ['start'], settings, join(work, 'log'), node)
  },
})
