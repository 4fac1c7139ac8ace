import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../src/server/lifecycle/start/free-port.ts'
import { createScratchDatabase } from '../scratch-database.ts'
import { startServer } from '../server.ts'
import { definitions, mountPath } from './parse-server/classes.ts'
import { loadObjects } from './parse-server/load-objects.ts'
import { parseServerRequest } from './parse-server/requests.ts'
import type { Peer } from './peer.ts'

const appId = 'summit'

/**
 * Parse Server (https://parseplatform.org) is a back end for apps with a REST interface. It runs on the same PostgreSQL
 * as Summit, in a database of its own, with classes as a team would design them (`parse-server/classes.ts`), which
 * public access may read and create. One request returns the content of one response of Summit, except the files of
 * comments, of which the data set has none, and computed values. Creating a comment is one request but two commits: the
 * comment, then its topic, to which cloud code adds it (`parse-server/cloud.ts`). It has no response cache. Request
 * logging is off; all other settings are the defaults, with ten connections to PostgreSQL.
 * @param folder in which it is installed, together with router 2.2.0, the version it was released with; with 2.3.0,
 *   which npm would choose, cloud code cannot save objects
 * @param databaseUrl Summit's database, which is emptied
 */
export const parseServer = (folder: string, databaseUrl: string): Peer => ({
  name: 'Parse Server',
  summitSettings: { DATABASE_URL: databaseUrl },
  cacheSettings: {},
  toRequest: parseServerRequest,
  start: async (workFolder) => {
    mkdirSync(workFolder)
    const port = await freePort({ host: '127.0.0.1', port: 0 })
    await using stack = new AsyncDisposableStack()
    const database = stack.use(await createScratchDatabase(databaseUrl, 'parse_server'))
    const configFile = join(workFolder, 'config.json')
    const config = {
      ...{ appId, masterKey: 'for this benchmark only', databaseURI: database.url },
      ...{ host: '127.0.0.1', port, mountPath, serverURL: `http://127.0.0.1:${port}${mountPath}` },
      ...{ cloud: join(import.meta.dirname, 'parse-server/cloud.ts'), schema: { definitions, lockSchemas: true } },
      // By default it logs two lines for each comment, and nothing for other requests.
      logLevels: { triggerAfter: 'silent' },
    }
    writeFileSync(configFile, JSON.stringify(config))
    const program = join(folder, 'node_modules/parse-server/bin/parse-server')
    const environment = { NODE_ENV: 'production', PARSE_SERVER_LOGS_FOLDER: join(workFolder, 'logs') }
    const server = stack.use(await startServer(program, [configFile], environment, join(workFolder, 'log')))
    await loadObjects(database.url)
    const resources = stack.move()
    return {
      ...server,
      headers: { 'X-Parse-Application-Id': appId },
      [Symbol.asyncDispose]: () => resources.disposeAsync(),
    }
  },
})
